// SPDX-License-Identifier: BSD-3-Clause
//
// Installs, and programs from outside.
#include <algorithm>

#include "../model/cudnn_major.h"
#include "../model/unstamped_program.h"
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

static void apply_installed_rules(rule_run& run) {
  apply_install_file_rules(run);
  run.apply(rule_header_library_mismatch, rule_dependency_missing, rule_version_missing,
            rule_dependency_mixed);
}

static void apply_install_rules(rule_run& run) {
  apply_installed_rules(run);
  run.apply(rule_version_checks, rule_loader_override, rule_driver_missing, rule_driver_too_old,
            rule_driver_mismatch, rule_compat_driver, rule_no_device, rule_gpu_of_cudnn,
            rule_known_bad, rule_gpus_unusable, rule_wrong_numbers, rule_convolution_failed,
            rule_kernel, rule_toolkit_mixed, rule_not_verified);
}

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
