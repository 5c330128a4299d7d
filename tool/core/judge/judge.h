// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/finding.h"
#include "../model/observation.h"
#include "../model/stamp.h"
#include "../model/string.h"
#include "../model/vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// How strictly.
struct judge_options {
  bool gpu_optional = false;    ///< no GPU is a note, not an error
  bool level_required = false;  ///< CuDNNChecked_REQUIRE named `required`, it is not AUTO
  level required = level::none;
  /// A program is judged at its own start: what only takes time, or only concerns a program that
  /// uses a certain operation and does not say so, is a note.
  bool at_start = false;
};

// All of them are pure: the same arguments always give the same findings, the worst first.

/// At configure time: is this install of cuDNN whole, of one release, and right?  Every mix is an
/// error.
vector<finding> judge_install(const stamp& headers, const observation& observed,
                              const judge_options& options);

/// The part of it that needs no more than files, for the moment before anything of cuDNN is called.
vector<finding> judge_install_files(const stamp& headers, const observation& observed,
                                    const judge_options& options);

/// At run time: does what was stamped into this program hold on this machine?
vector<finding> judge_program(const stamp& stamped, const observation& observed,
                              const judge_options& options);

/// The part of it that needs no more than files.
vector<finding> judge_program_files(const stamp& stamped, const observation& observed,
                                    const judge_options& options);

/// Before anything inside a program can speak: would the loader start it (observed.start)?
vector<finding> judge_start(const stamp& stamped, const observation& observed,
                            const judge_options& options);

/// True where the loader ends the program before its own code runs.
bool start_ends_program(const program_start& start);

/// What needs no stamp: is the cuDNN that a program gets one whole set of one release?  It is taken
/// to need all that its release ships.
vector<finding> judge_unstamped(const observation& observed, const judge_options& options);

/// An install for itself, as it would serve a program that was linked with it; nothing is compiled
/// or run.  `header` is what its own header says, unknown where it has none.
vector<finding> judge_installed(const stamp& header, const observation& observed,
                                const judge_options& options);

/// The driver and the GPUs of a machine, for programs in general.
vector<finding> judge_machine(const observation& observed, const judge_options& options);

/// True where calling into this set of files could end the process.
bool calling_may_abort(const observation& observed);

/// How far the observation proves this cuDNN.
level reached_level(const observation& observed, const vector<finding>& findings);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
