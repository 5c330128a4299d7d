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

/// The results of a sweep, by this command or an earlier one.
struct swept {
  sweep::record seen;
  std::string directory;  ///< of the cuDNN
  std::string name;       ///< the report or the directory, as it was typed
  std::string package;    ///< the release of cudnn-checked that computed it
  bool is_read = false;   ///< from a report: nothing was computed
};

/// Whether the path is a file and no library, so that it is read as a report.
bool is_report_file(const std::string& path);

/// Reads the options of `sweep`.  Returns false if one is wrong; `wrong` is one line about it.
bool read_sweep_options(const command_line& given, sweep::request& asked, std::string& wrong);

/// Sweeps, with a line of progress.  What fails of random problems is made smaller, for as long
/// again at most.
sweep::record run_sweep(const sweep::request& asked);

/// Adds the simplest failure of each row to a file of problems, where another engine or what it did
/// shows that it is one; not of those that only return an error.  False: `error` begins with the
/// path.
bool add_to_list(const std::string& path, const sweep::record& seen,
                 const sweep::sweep_judgement& judged, std::string& error);

/// Adds rules for the failures to the errata file, and computes the failed problems again with it.
sweep::errata_outcome write_errata(const std::string& path, const sweep::record& seen,
                                   const sweep::sweep_judgement& judged);

/// A note if CUDNN_ERRATA_JSON_FILE names another existing file, because programs read only one
/// errata file; otherwise empty.
std::string note_of_errata(const std::string& path);

// Comparisons and programs that are made from a sweep.

/// Prints the comparison of `now` with `then`.  If this command computed `now`, its report comes
/// before the comparison, or is a part of it in JSON.
exit_status print_comparison(const command_line& given, const swept& then, const swept& now,
                             const std::string& report);

/// Returns false if --reproduce names no row, or is given with an option that excludes it; `wrong`
/// is one line about it.
bool can_reproduce(const command_line& given, std::string& wrong);

/// Prints the program for the row of --reproduce, and nothing else.
exit_status print_reproduction(const command_line& given, const sweep::record& of,
                               const sweep::sweep_judgement& judged);

}  // namespace cudnn_checked::cli
