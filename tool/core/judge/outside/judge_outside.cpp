// SPDX-License-Identifier: BSD-3-Clause
//
// Programs from outside, and installs for themselves, as doctor, verify and run judge them.
#include "../../model/unstamped_program.h"
#include "../judge.h"
#include "../rule_lists.h"
#include "../rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static void apply_unstamped_rules(rule_run& run) {
  apply_start_rules(run);
  const observation& observed = run.input().observed;
  if (observed.linked && !start_hides_cudnn(observed.start)) {
    run.apply(rule_library_corrupt, rule_wrong_machine, rule_record_incomplete,
              rule_mixed_sublibraries, rule_not_of_release, rule_two_cudnns,
              rule_shim_of_another_name, rule_required_release, rule_required_cuda,
              rule_sublibrary_missing, rule_functions_missing, rule_loader_override, rule_left_out,
              rule_dependency_missing, rule_version_missing, rule_dependency_mixed,
              rule_record_differs, rule_needed_driver, rule_loader_unknown, rule_gpu_of_framework,
              rule_framework_defects);
  }
  run.apply(rule_passed_over, rule_renamed_shim, rule_second_runtime, rule_needs_preload,
            rule_not_stamped);
}

static finding* find_same(arena_vector<finding>& findings, finding_id id) {
  return find_where(findings.in_place(), [&](finding& f) { return f.id == id; });
}

arena_vector<finding> merged(const arena_vector<finding>& start,
                             const arena_vector<finding>& found) {
  // A start that needs the driver makes its absence an error, whatever weight the guard gives it.
  const bool no_driver =
      any_of(start, [](const finding& f) { return f.id == finding_id::driver_missing; });
  // A finding with the same words as one of the start is left out, unless the evidence of both
  // belongs together.
  const auto is_told = [&start](const finding& f) {
    return row_of(f.id).evidence == merging::apart && any_of(start, [&f](const finding& other) {
             return other.id == f.id && other.summary == f.summary;
           });
  };
  arena_vector<finding> program = filtered(found, [&](const finding& f) {
    return !is_told(f) && (!no_driver || f.id != finding_id::driver_missing);
  });
  arena_vector<finding> all;
  for (const finding& f : start) {
    const bool joined = row_of(f.id).evidence == merging::joined;
    finding* same = joined ? find_same(program, f.id) : nullptr;
    if (same == nullptr) {
      all.push_back(f);
      continue;
    }
    same->more.push_back(f.expected);
    for (const fact& line : f.more) same->more.push_back(line);
    same->because += " " + f.because;
  }
  for (const finding& f : program) all.push_back(f);
  sort_by_weight(all);
  return all;
}

judgement judge_unstamped(const observation& observed, const judge_options& options) {
  stamp wanted;
  if (observed.unstamped != nullptr) {
    wanted.cudnn_header = observed.unstamped->requirement.least;
    wanted.toolkit = version::of(observed.unstamped->cuda_major, 0, 0);
  }
  return judged(apply_unstamped_rules, subject::program, wanted, observed, options);
}

arena_vector<finding> judge_records(const observation& observed, const judge_options& options) {
  return judged([](rule_run& run) { run.apply(rule_record_differs, rule_passed_over); },
                subject::program, stamp(), observed, options)
      .findings;
}

arena_vector<finding> judge_replaced(const observation& observed, const judge_options& options) {
  return judged([](rule_run& run) { run.apply(rule_replaced_in_use); }, subject::program, stamp(),
                observed, options)
      .findings;
}

judgement judge_installed(const stamp& header, const observation& observed,
                          const judge_options& options) {
  return judged(apply_installed_rules, subject::install, header, observed, options);
}

judgement judge_machine(const observation& observed, const judge_options& options) {
  return judged(
      [](rule_run& run) {
        run.apply(rule_driver_missing, rule_driver_mismatch, rule_compat_driver, rule_no_device);
      },
      subject::program, stamp(), observed, options);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
