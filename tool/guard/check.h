// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/check/cudnn_check.h"
#include "environment.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The check of a stamped program, and what CUDNN_CHECKED makes of it.
class guard_check {
 public:
  /// `own_file` is the program or shared library that carries the stamp.
  guard_check(loader& search, const char* stamp_text, arena_string own_file);

  /// To be called before anything is looked at: notes are left out, unless a report is written.
  void leave_out_notes() { check_.options.without_notes = environment_.report_path.empty(); }
  void look_at_files();
  void look_at_machine();
  /// To be called before a refusal on the evidence of files: looks whether the driver is missing,
  /// which files show too.
  void look_for_driver();
  /// Instead of looking, for CUDNN_CHECKED=off: the report says that nothing was checked.
  void leave_unchecked();
  /// From outside, at the end: the findings of the program's start.
  arena_vector<finding> look_at_start(const program_start& start) {
    return check_start(check_, start);
  }
  /// From outside, for a process that runs: its libraries are in its memory.
  arena_vector<finding> look_at_records() { return check_records(check_); }

  /// To be called before anything is printed: keeps only fixes that were shown to work.
  void try_fixes();

  const guard_environment& environment() const { return environment_; }
  /// The verdict of what was looked at so far.
  verdict result() const { return check_.judged.result; }
  const judgement& judged() const { return check_.judged; }
  const stamp& stamped() const { return check_.stamped; }
  const observation& observed() const { return check_.observed; }
  /// It is refused, and CUDNN_CHECKED does not say otherwise.
  bool ends_program() const;
  /// The message for a person.  Empty if nothing is worse than "unknown", unless the stamp itself
  /// cannot be read.
  arena_string text() const;
  /// Writes to stderr what a program that checks itself has to say.  Where the program continues,
  /// what a guard of this process said before is left out.
  void say() const;
  arena_string json_text() const;
  /// Writes the report to the file of CUDNN_CHECKED_REPORT, if that is set.
  void write_report() const;

 private:
  severity least_to_say() const;
  void add_invalid_mode();

  arena_string own_file_;
  guard_environment environment_;
  cudnn_check check_;
  bool readable_ = false;  ///< the stamp
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
