// SPDX-License-Identifier: BSD-3-Clause
//
// A stamped program, at its start.
#include "judge.h"
#include "rule_lists.h"
#include "rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// If the program has no cuDNN yet, the one that the loader would find is not the one that the
// program will use.  The CUDA runtimes of the process are reported with the dependencies.
static void apply_program_file_rules(rule_run& run) {
  if (!run.input().observed.linked) return run.apply(rule_no_cudnn_yet);
  run.apply(rule_library_corrupt, rule_wrong_machine, rule_record_incomplete,
            rule_mixed_sublibraries, rule_not_of_release, rule_two_cudnns, rule_cudnn_major,
            rule_cudnn_older, rule_cudnn_differs, rule_cuda_major, rule_sublibrary_missing,
            rule_functions_missing, rule_loader_override, rule_version_unknown, rule_left_out,
            rule_loader_unknown);
}

static void apply_program_rules(rule_run& run) {
  apply_program_file_rules(run);
  run.apply(rule_driver_missing, rule_driver_too_old, rule_driver_mismatch, rule_compat_driver,
            rule_no_device, rule_architecture, rule_gpu_of_cudnn, rule_dependency_missing,
            rule_version_missing, rule_dependency_mixed, rule_known_bad);
}

judgement judge_program_files(const stamp& stamped, const observation& observed,
                              const judge_options& options) {
  judgement result = judged(apply_program_file_rules, subject::program, stamped, observed, options);
  result.reached = stamped.proved;
  return result;
}

judgement judge_program(const stamp& stamped, const observation& observed,
                        const judge_options& options) {
  judgement result = judged(apply_program_rules, subject::program, stamped, observed, options);
  result.reached = stamped.proved;
  return result;
}

judgement judge_unreadable_stamp(const stamp& stamped, arena_string error) {
  finding f(finding_id::stamp_unreadable);
  f.summary = "the stamp of this program cannot be read: " + error;
  f.because = why<finding_id::stamp_unreadable>();
  f.fix = {advice("build it again")};
  judgement result =
      judged([](rule_run&) {}, subject::program, stamped, observation(), judge_options());
  result.reached = stamped.proved;
  result.conclude({f});
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
