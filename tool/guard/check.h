// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/judge/judge.h"
#include "../core/loader/loader.h"
#include "../core/model/string.h"
#include "../core/model/vector.h"
#include "../core/observe/observe.h"
#include "../core/report/report.h"
#include "environment.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The report on a program.
json report_of(const stamp& stamped, const observation& observed, const vector<finding>& findings,
               const string& escape);

/// One check of a stamped program, in the two steps that start-up needs: files first, because they
/// can be judged before any other code of the program runs, then the machine.
class guard_check {
 public:
  /// `own_file` is the program or shared library that carries the stamp.
  guard_check(loader& search, const char* stamp_text, const string& own_file);

  void look_at_files();
  void look_at_machine();

  const guard_environment& environment() const { return environment_; }
  /// The verdict of what was looked at so far.
  verdict result() const { return verdict_of(findings_); }
  const vector<finding>& findings() const { return findings_; }
  const stamp& stamped() const { return stamped_; }
  const observation& observed() const { return observed_; }
  /// What was found, for a person; empty where there is nothing worse than "unknown".
  string text() const;
  /// The same as the message of a program that checks itself: what CUDNN_CHECKED makes of it.
  string message() const;
  string json_text() const;
  /// Writes the report where CUDNN_CHECKED_REPORT says, if it says so.
  void write_report() const;

 private:
  string text_with(const string& prefix) const;
  void judge_again();
  bool gpus_are_settled() const;

  loader& loader_;
  string own_file_;
  guard_environment environment_;
  stamp stamped_;
  string stamp_error_;
  judge_options options_;
  observation observed_;
  bool machine_seen_ = false;
  vector<finding> findings_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
