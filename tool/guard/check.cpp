// SPDX-License-Identifier: BSD-3-Clause
#include "check.h"

#include "refusal.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

guard_check::guard_check(loader& search, const char* stamp_text, const string& own_file)
    : loader_(search), own_file_(own_file), environment_(read_guard_environment(search.system())) {
  if (!parse_stamp(stamp_text, stamped_, stamp_error_)) return;
  options_.gpu_optional = stamped_.gpu_optional;
  options_.at_start = true;
}

void guard_check::look_at_files() {
  if (stamp_error_.empty()) observe_files(loader_, stamped_.cudnn_header.major, observed_);
  judge_again();
}

// The table of PCI ids is enough to say that all is well; it is never enough to refuse or to warn.
// It has no names, by which GPUs that cuda-compat does not serve are told.
bool guard_check::gpus_are_settled() const {
  if (observed_.devices.visible != answer::yes || observed_.driver.compat) return false;
  for (const finding& f : findings_) {
    if (f.weight != severity::note && row_of(f.id).rests_on == basis::gpus) return false;
  }
  return true;
}

void guard_check::look_at_machine() {
  if (!stamp_error_.empty()) return;
  machine_seen_ = true;
  const system_interface& os = loader_.system();
  loader_.look_at_process();
  observe_dependencies(loader_, observed_);
  observe_driver(loader_, observed_);
  if (observed_.driver.present != answer::no && !observed_.driver.stub) {
    observe_program_code(os, own_file_, observed_);
    observe_gpus_on_pci(os, observed_);
    judge_again();
    if (!gpus_are_settled()) observe_gpus_with_nvml(os, observed_);
  }
  judge_again();
}

void guard_check::judge_again() {
  if (!stamp_error_.empty()) {
    finding f(finding_id::stamp_unreadable);
    f.summary = "the stamp of this program cannot be read: " + stamp_error_;
    f.because = "What the program was configured with is not known, so nothing was checked.";
    f.fix = "build it again";
    findings_ = {f};
    return;
  }
  findings_ = machine_seen_ ? judge_program(stamped_, observed_, options_)
                            : judge_program_files(stamped_, observed_, options_);
  // Start-up and require() ended the program before this.
  if (environment_.asked == guard_environment::mode::invalid) {
    findings_.insert(findings_.begin(), invalid_mode_finding(environment_));
  }
}

json report_of(const stamp& stamped, const observation& observed, const vector<finding>& findings,
               const string& escape) {
  report_input input;
  input.stamped = &stamped;
  input.observed = &observed;
  input.findings = &findings;
  input.reached = stamped.proved;
  input.escape = escape;
  return make_report(input);
}

string guard_check::text_with(const string& prefix) const {
  bool any = false;
  for (const finding& f : findings_) any = any || f.weight >= severity::warning;
  if (!any) return {};
  return report_message(report_of(stamped_, observed_, findings_, environment_.escape), prefix,
                        severity::warning);
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
  return text_with("cudnn_checked: warning") + "  goes on: " + environment_.escape + "\n";
}

string guard_check::json_text() const {
  return report_of(stamped_, observed_, findings_, environment_.escape).print();
}

void guard_check::write_report() const {
  const string& path = environment_.report_path;
  if (path.empty() || write_file(path, json_text())) return;
  write_to_stderr("cudnn_checked: error: cannot write the report to " + path +
                  " (CUDNN_CHECKED_REPORT)\n");
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
