// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "../core/report/report.h"
#include "refusal.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

guard_check::guard_check(loader& search, const char* stamp_text, const string& own_file)
    : own_file_(own_file), environment_(read_guard_environment(search.system())), check_(search) {
  string error;
  readable_ = parse_stamp(stamp_text, check_.stamped, error);
  if (!readable_) check_.judged = judge_unreadable_stamp(check_.stamped, error);
  check_.options.gpu_optional = check_.stamped.gpu_optional;
  check_.options.at_start = true;
}

// Start-up and require() ended the program before this.
void guard_check::add_invalid_mode() {
  if (environment_.asked != guard_environment::mode::invalid) return;
  vector<finding> all = {invalid_mode_finding(environment_)};
  for (const finding& f : check_.judged.findings) all.push_back(f);
  check_.judged.conclude(std::move(all));
}

void guard_check::look_at_files() {
  if (!readable_) return;
  check_program_files(check_);
  add_invalid_mode();
}

void guard_check::look_at_machine() {
  if (!readable_) return;
  check_program_machine(check_, own_file_);
  add_invalid_mode();
}

string guard_check::text_with(const char* prefix) const {
  return findings_message(check_.judged.findings, prefix, severity::warning);
}

string guard_check::text() const {
  return text_with(result() == verdict::refused ? "cudnn_checked: refused"
                                                : "cudnn_checked: warning");
}

string guard_check::message() const {
  if (result() != verdict::refused) return text();
  if (environment_.asked != guard_environment::mode::warn) {
    return text() + "  override: CUDNN_CHECKED=warn\n";
  }
  return text_with("cudnn_checked: warning") + "  continues: " + environment_.escape + "\n";
}

string guard_check::json_text() const {
  report_input input;
  input.stamped = &check_.stamped;
  input.observed = &check_.observed;
  input.judged = &check_.judged;
  input.escape = environment_.escape;
  return make_report(input).print();
}

void guard_check::write_report() const {
  const string& path = environment_.report_path;
  if (path.empty() || write_file(path, json_text())) return;
  write_to_stderr("cudnn_checked: error: cannot write the report to " + path +
                  " (CUDNN_CHECKED_REPORT)\n");
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
