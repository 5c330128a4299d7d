// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of the command `sweep`.
#pragma once

#include <string>

#include "../../cli/text/output.h"
#include "../../cli/words/command_line.h"
#include "../sweep/errata/errata_outcome.h"
#include "../sweep/judge/judge.h"

namespace cudnn_checked::cli {

/// What was swept, by this command or by an earlier one.
struct swept {
  sweep::record seen;
  std::string directory;  ///< of the cuDNN
  std::string name;       ///< the report or the directory, as it was typed
  std::string package;    ///< the release of cudnn-checked that computed it
  bool is_read = false;   ///< from a report: nothing was computed
};

/// A file that is no library: to be read as a report.
bool is_report_file(const std::string& path);

/// What the options of `sweep` ask for.  Where one is wrong, returns false and says how, in one
/// line.
bool read_sweep_options(const command_line& given, sweep::request& asked, std::string& wrong);

/// Sweeps, with a line of progress.
sweep::record run_sweep(const sweep::request& asked);

/// Adds rules for what failed to the file, and computes it again under them.
sweep::errata_outcome write_errata(const std::string& path, const sweep::record& seen,
                                   const sweep::sweep_judgement& judged);

/// Programs read one errata file.  A note where CUDNN_ERRATA_JSON_FILE names another one that is
/// there; empty where it does not.
std::string note_of_errata(const std::string& path);

// What else is made of a sweep.

/// Prints the comparison of `now` with `then`; in front of it, or in it, the report of `now`, where
/// that was computed by this command.
exit_status print_comparison(const command_line& given, const swept& then, const swept& now,
                             const std::string& report);

/// False where --reproduce is given and names no row, or is given with what excludes it; `wrong`
/// says how, in one line.
bool can_reproduce(const command_line& given, std::string& wrong);

/// Prints the program for the row of --reproduce, and nothing else.
exit_status print_reproduction(const command_line& given, const sweep::record& of,
                               const sweep::sweep_judgement& judged);

}  // namespace cudnn_checked::cli
