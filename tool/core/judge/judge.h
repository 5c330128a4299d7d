// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/stamp.h"
#include "judgement.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// How strictly.
struct judge_options {
  bool gpu_optional = false;    ///< no GPU is a note, not an error
  bool level_required = false;  ///< CuDNNChecked_REQUIRE named `required`, it is not AUTO
  level required = level::none;
  bool install_named = false;  ///< CuDNNChecked_ROOT or a command line names the install
  bool unreached = false;  ///< nobody names the install, and no search of the loader leads to it
  /// A program is judged at its own start: what only takes time, or only concerns a program that
  /// uses a certain operation and does not say so, is a note.
  bool at_start = false;
  /// Nobody reads notes: facts that only explain or repair are looked for after something was
  /// found.
  bool without_notes = false;
};

// All of them are pure: the same arguments always give the same judgement.

/// At configure time: is this install of cuDNN whole, of one release, and right?  Every mix is an
/// error.
judgement judge_install(const stamp& headers, const observation& observed,
                        const judge_options& options);

/// The part of it that needs no more than files, for the moment before anything of cuDNN is called.
judgement judge_install_files(const stamp& headers, const observation& observed,
                              const judge_options& options);

/// Whether the set may lack sub-libraries that export functions, so that the called functions have
/// to be read.
bool may_lack_functions(const cudnn_set& set, const arena_vector<library_role>& needs);

/// At run time: does what was stamped into this program hold on this machine?  First the part that
/// needs no more than files.
judgement judge_program_files(const stamp& stamped, const observation& observed,
                              const judge_options& options);

/// All of it.  After a further look it is judged again from the beginning: a rule may read facts of
/// every look.
judgement judge_program(const stamp& stamped, const observation& observed,
                        const judge_options& options);

/// A program whose stamp cannot be read (as far as it was), and why.
judgement judge_unreadable_stamp(const stamp& stamped, arena_string error);

/// Before anything inside a program can speak: would the loader start it (observed.start)?
judgement judge_start(const stamp& stamped, const observation& observed,
                      const judge_options& options);

/// True where the loader ends the program before its own code runs.
bool start_ends_program(const program_start& start);

/// "libcuda.so.1", "libnvidia-ml.so.1": what comes with the driver.
bool is_driver_library(arena_string name);

/// True where it is not known which cuDNN it would take.  Without the driver's libraries it does
/// not start either, but a missing driver hides nothing else.
bool start_hides_cudnn(const program_start& start);

/// A program without a stamp, with its start: is the cuDNN that it gets one whole set of one
/// release, and the one that observed.unstamped requires? The program is assumed to need all that
/// its release ships.
judgement judge_unstamped(const observation& observed, const judge_options& options);

/// Contradictions between the records of packages and the files, for callers that always read
/// records.
arena_vector<finding> judge_records(const observation& observed, const judge_options& options);

/// The findings about the files in `observed.replaced`.
arena_vector<finding> judge_replaced(const observation& observed, const judge_options& options);

/// An install for itself, as it would serve a program that was linked with it; nothing is compiled
/// or run.  `header` is what its own header says, unknown where it has none.
judgement judge_installed(const stamp& header, const observation& observed,
                          const judge_options& options);

/// The driver and the GPUs of a machine, for programs in general.
judgement judge_machine(const observation& observed, const judge_options& options);

/// The findings about a program from outside: those of its start and, if the loader gets that far,
/// those of the program's own check.  If both report that cuDNN is too old, the missing functions
/// become evidence of that one finding.
arena_vector<finding> merged(const arena_vector<finding>& start,
                             const arena_vector<finding>& found);

/// The fixes, before all others, if the probe ended in a step of that kind.
fix_lines fixes_of_step(step_kind kind);

/// True where calling into this set of files could end the process.
bool calling_may_abort(const observation& observed);

/// How far the observation proves this cuDNN.
level reached_level(const observation& observed, const arena_vector<finding>& findings);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
