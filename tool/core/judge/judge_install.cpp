// SPDX-License-Identifier: BSD-3-Clause
//
// Installs, at configure time.
#include <algorithm>

#include "../model/cudnn_major.h"
#include "judge.h"
#include "rule_lists.h"
#include "rules/rules.h"
#include "rules/tolerance.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool rule_input::at_configure() const { return of_install; }

const unstamped_program* rule_input::unstamped() const { return observed.unstamped; }

bool is_unmapped(const found_file& file) { return file.state == file_state::no_exec; }

static void apply_install_file_rules(rule_run& run) {
  run.apply(rule_library_corrupt, rule_wrong_machine, rule_record_incomplete,
            rule_mixed_sublibraries, rule_not_of_release, rule_two_cudnns,
            rule_shim_of_another_name, rule_sublibrary_missing, rule_cuda_major,
            rule_record_differs, rule_left_out, rule_sublibrary_lent);
}

void apply_installed_rules(rule_run& run) {
  apply_install_file_rules(run);
  run.apply(rule_header_library_mismatch, rule_dependency_missing, rule_version_missing,
            rule_dependency_mixed);
}

static void apply_install_rules(rule_run& run) {
  apply_installed_rules(run);
  run.apply(rule_run_path_of_probe, rule_compiled_headers, rule_version_checks,
            rule_loader_override, rule_driver_missing, rule_driver_too_old, rule_driver_mismatch,
            rule_compat_driver, rule_no_device, rule_gpu_of_cudnn, rule_known_bad,
            rule_gpus_unusable, rule_wrong_numbers, rule_convolution_failed, rule_kernel,
            rule_toolkit_mixed, rule_not_verified);
}

judgement judge_install_files(const stamp& headers, const observation& observed,
                              const judge_options& options) {
  judgement result = judged(apply_install_file_rules, subject::install, headers, observed, options);
  judge_convolutions(observed, result);
  result.reached = reached_level(observed, result.findings);
  return result;
}

judgement judge_install(const stamp& headers, const observation& observed,
                        const judge_options& options) {
  judgement result = judged(apply_install_rules, subject::install, headers, observed, options);
  judge_convolutions(observed, result);
  result.reached = reached_level(observed, result.findings);
  return result;
}

// A file that is cut off or not a library raises SIGBUS or SIGSEGV when it is mapped, and an
// unreachable graph library makes cuDNN 9 call abort() in its first function (measured on 9.19.0);
// so does one that the loader refuses for want of libz or cuBLAS (measured on 8.5.0 and on 9.27.0).
bool calling_may_abort(const observation& observed) {
  const library_role::known first = computing_role(observed.cudnn_major);
  bool first_there = false;
  for (const cudnn_file& file : observed.files) {
    if (file.state == file_state::truncated || file.state == file_state::unwritten ||
        ends_search(file.state)) {
      return true;
    }
    if (file.role == first && file.state == file_state::whole) first_there = true;
  }
  for (const dependency& d : observed.dependencies) {
    const bool usable = d.mapped || d.state == file_state::whole;
    if (d.needed && !usable) return true;
  }
  if (!observed.missing_versions.empty()) return true;
  return !first_there;
}

level reached_level(const observation& observed, const arena_vector<finding>& findings) {
  if (!observed.answers.asked) return level::linked;
  level reached = observed.convolutions.empty() ? level::loaded : level::ran;
  for (const finding& f : findings) {
    if (f.weight == severity::error) reached = std::min(reached, row_of(f.id).leaves);
  }
  return reached;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
