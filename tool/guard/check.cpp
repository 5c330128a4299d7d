// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include <algorithm>

#include "../core/check/tried_fixes.h"
#include "../core/report/report.h"
#include "../core/system/replace_file.h"
#include "../core/system/write_all.h"
#include "late_imports.h"
#include "said_before.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

guard_check::guard_check(loader& search, const char* stamp_text, arena_string own_file)
    : own_file_(own_file), check_(search) {
  arena_string error;
  readable_ = parse_stamp(stamp_text, check_.stamped, error);
  environment_ = read_guard_environment(search.system(), check_.stamped.guard);
  if (!readable_) check_.judged = judge_unreadable_stamp(check_.stamped, error);
  check_.options.gpu_optional = check_.stamped.gpu_optional;
  check_.options.at_start = true;
  // For a guard in a library, that library's run path counts.
  if (own_file == search.program_path() || search.file(own_file).is_program) return;
  search.set_opener(own_file);
}

// Start-up and require() ended the program before this.
void guard_check::add_invalid_mode() {
  if (environment_.asked != guard_environment::mode::invalid) return;
  check_.found_besides = {invalid_mode_finding(environment_)};
  arena_vector<finding> all = check_.found_besides;
  all.append(check_.judged.findings);
  check_.judged.conclude(std::move(all));
}

void guard_check::look_at_files() {
  if (!readable_) return;
  check_program_files(check_);
  check_late_imports(check_);
  add_invalid_mode();
}

void guard_check::look_at_machine() {
  if (!readable_) return;
  check_program_machine(check_, own_file_);
  check_late_imports(check_);
  add_invalid_mode();
}

void guard_check::look_for_driver() {
  if (readable_) check_program_driver(check_);
}

void guard_check::try_fixes() {
  if (readable_) keep_tried_fixes(check_);
}

void guard_check::leave_unchecked() {
  check_.judged.reached = check_.stamped.proved;
  check_.judged.result = verdict::unknown;
}

bool guard_check::ends_program() const {
  return result() == verdict::refused && environment_.asked == guard_environment::mode::enforce;
}

// A guard that could not check anything must not look like one that found nothing.
// What would be refused if the loader's own rules decided does not start without a word either.  Of
// a sound set it is unknown only that they do not.
severity guard_check::least_to_say() const {
  const auto is_unknown = [](const finding& f) { return f.weight == severity::unknown; };
  const arena_vector<finding>& all = check_.judged.findings;
  const bool found_more =
      !check_.observed.other_rules.empty() && std::count_if(all.begin(), all.end(), is_unknown) > 1;
  return readable_ && !found_more ? severity::warning : severity::unknown;
}

arena_string guard_check::text() const {
  return findings_message(
      check_.judged.findings,
      result() == verdict::refused ? "cudnn_checked: refused" : "cudnn_checked: warning",
      least_to_say());
}

void guard_check::say() const {
  if (ends_program()) return write_to_stderr(text() + "  override: CUDNN_CHECKED=warn\n");
  const arena_vector<finding> news =
      not_said_before(check_.search.system(), check_.judged.findings, least_to_say());
  if (news.empty()) return;
  arena_string message = findings_message(news, "cudnn_checked: warning", least_to_say());
  if (result() == verdict::refused) message += "  continues: " + environment_.escape + "\n";
  write_to_stderr(message);
}

arena_string guard_check::json_text() const {
  report_input input;
  input.stamped = &check_.stamped;
  input.observed = &check_.observed;
  input.judged = &check_.judged;
  input.escape = environment_.escape;
  return report_text(input);
}

void guard_check::write_report() const {
  const arena_string path = environment_.report_path;
  if (path.empty()) return;
  const arena_string error = replace_file(path, json_text());
  if (error.empty()) return;
  write_to_stderr("cudnn_checked: error: " + report_not_written(path, error) + '\n');
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
