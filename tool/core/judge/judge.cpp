// SPDX-License-Identifier: BSD-3-Clause
#include "judge.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

#include "../model/paths.h"
#include "../model/unstamped_program.h"
#include "rules/rules.h"
#include "rules/tolerance.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool chosen_by_ld_path(const cudnn_file& file) {
  return file.chosen_by.reason == choice_reason::ld_library_path;
}

static void replace_by(const alternative_file& other, cudnn_file& file) {
  file.path = other.path;
  file.real_path.clear();
  file.chosen_by = other.chosen_by;
  file.build_id = other.build_id;
  file.word = other.word;
  file.name_version = other.name_version;
  file.mapped = false;
  // Nothing is known of its package and of what lies before it.
  file.package = {};
  file.run_path_cuda_major = 0;
  file.near_miss = {};
  file.state = other.path.empty() ? file_state::missing : file_state::whole;
}

static vector<cudnn_file> files_without_ld_path(const observation& observed) {
  vector<cudnn_file> files = observed.files.copy();
  // What only that variable brings is not there without it.
  for (cudnn_file& file : files) {
    if (chosen_by_ld_path(file)) file.state = file_state::missing;
  }
  for (const alternative_file& other : observed.alternatives) {
    bool known = false;
    for (cudnn_file& file : files) {
      if (file.role != other.role) continue;
      replace_by(other, file);
      known = true;
    }
    if (known) continue;
    // A damaged shim asked for nothing; the one behind it will.
    cudnn_file file;
    file.role = other.role;
    file.name = base_name(other.path);
    replace_by(other, file);
    files.push_back(file);
  }
  return files;
}

/// Who is judged: an install at configure time, or a program.
enum class subject { install, program };

struct rule_row {
  rule apply;
  look rests_on = look::files;  ///< the last look whose facts it reads
};

struct rule_list {
  const rule_row* first;
  std::size_t count;
};

template <std::size_t count>
static constexpr rule_list all_of(const rule_row (&rules)[count]) {
  return {rules, count};
}

static bool is_decided_by_ld_path(const cudnn_set& set) {
  for (const cudnn_set::member& m : set.members) {
    if (m.member_of_set && chosen_by_ld_path(*m.file)) return true;
  }
  return false;
}

static bool is_touched_by_ld_path(const observation& observed) {
  for (const cudnn_file& file : observed.files) {
    if (chosen_by_ld_path(file)) return true;
  }
  return !observed.alternatives.empty();
}

bool rests_on_other_rules(const rule_input& input) {
  if (input.at_configure() || input.observed.other_rules.empty()) return false;
  for (const cudnn_file& file : input.observed.files) {
    if (!file.mapped) return true;
  }
  return input.observed.files.empty();
}

static void weigh_as_unknown(vector<finding>& findings) {
  for (finding& f : findings) {
    const bool predicted = f.id != finding_id::cannot_start && row_of(f.id).rests_on != basis::gpus;
    if (predicted && f.weight != severity::note) f.weight = severity::unknown;
  }
}

/// Applies the rules that rest on what is new; what the others found before stays.
static void apply_rules(std::initializer_list<rule_list> lists, look newest,
                        const rule_input& input, judgement& result) {
  vector<finding> findings;
  int index = 0;
  for (const rule_list& list : lists) {
    for (std::size_t i = 0; i < list.count; ++i, ++index) {
      if (list.first[i].rests_on < newest) {
        for (const finding& f : result.findings) {
          if (f.rule == index) findings.push_back(f);
        }
        continue;
      }
      const std::size_t before = findings.size();
      list.first[i].apply(input, findings);
      for (std::size_t k = before; k < findings.size(); ++k) findings[k].rule = index;
    }
  }
  if (rests_on_other_rules(input)) weigh_as_unknown(findings);
  result.conclude(std::move(findings));
}

static void apply(std::initializer_list<rule_list> lists, look newest, subject who,
                  const stamp& stamped, const observation& observed, const judge_options& options,
                  judgement& result) {
  if (newest == look::files) {
    result.set = make_set(observed.files, observed.cudnn_major);
    result.needs = needed_roles(stamped, result.set, observed.cudnn_major);
    result.computes = observed.answers.asked ? observed.answers.library : result.set.effective;
  }
  vector<cudnn_file> other_files;
  cudnn_set other_set;
  const bool other = is_touched_by_ld_path(observed);
  if (other) {
    other_files = files_without_ld_path(observed);
    other_set = make_set(other_files, observed.cudnn_major);
  }
  const rule_input input{stamped,
                         observed,
                         options,
                         who == subject::install,
                         result.set,
                         result.needs,
                         other ? other_set : result.set,
                         is_decided_by_ld_path(result.set)};
  apply_rules(lists, newest, input, result);
}

static judgement judged(std::initializer_list<rule_list> lists, subject who, const stamp& stamped,
                        const observation& observed, const judge_options& options) {
  judgement result;
  apply(lists, look::files, who, stamped, observed, options, result);
  return result;
}

static constexpr rule_row install_file_rules[] = {
    {rule_library_corrupt},    {rule_wrong_machine},  {rule_record_incomplete},
    {rule_mixed_sublibraries}, {rule_not_of_release}, {rule_two_cudnns},
    {rule_sublibrary_missing}, {rule_cuda_major},     {rule_record_differs}};

// Of what is found on a machine, doctor has a note.
static constexpr rule_row configure_rules[] = {{rule_sublibrary_lent}};

static constexpr rule_row install_rules[] = {{rule_header_library_mismatch},
                                             {rule_version_checks},
                                             {rule_dependency_missing},
                                             {rule_dependency_mixed},
                                             {rule_loader_override},
                                             {rule_driver_missing},
                                             {rule_driver_too_old},
                                             {rule_driver_mismatch},
                                             {rule_compat_driver},
                                             {rule_no_device},
                                             {rule_gpu_of_cudnn},
                                             {rule_known_bad},
                                             {rule_gpus_unusable},
                                             {rule_wrong_numbers},
                                             {rule_convolution_failed},
                                             {rule_kernel},
                                             {rule_toolkit_mixed},
                                             {rule_not_verified}};

static constexpr rule_row rules_without_cudnn[] = {{rule_no_cudnn_yet}};

// The CUDA runtimes of the process are reported with the dependencies.
static constexpr rule_row program_file_rules[] = {
    {rule_library_corrupt},    {rule_wrong_machine},
    {rule_record_incomplete},  {rule_mixed_sublibraries},
    {rule_not_of_release},     {rule_two_cudnns},
    {rule_cudnn_major},        {rule_cudnn_older},
    {rule_cudnn_differs},      {rule_cuda_major, look::machine},
    {rule_sublibrary_missing}, {rule_loader_override},
    {rule_version_unknown},    {rule_loader_unknown}};

static constexpr rule_row program_rules[] = {
    {rule_driver_missing, look::machine},   {rule_driver_too_old, look::gpus},
    {rule_driver_mismatch, look::gpus},     {rule_compat_driver, look::gpus},
    {rule_no_device, look::gpus},           {rule_architecture, look::gpus},
    {rule_gpu_of_cudnn, look::gpus},        {rule_dependency_missing, look::machine},
    {rule_dependency_mixed, look::machine}, {rule_known_bad, look::gpus}};

static constexpr rule_row start_rules[] = {
    {rule_cannot_start}, {rule_start_missing}, {rule_start_corrupt}, {rule_start_symbols}};

static constexpr rule_row unstamped_rules[] = {
    {rule_library_corrupt},    {rule_wrong_machine},      {rule_record_incomplete},
    {rule_mixed_sublibraries}, {rule_not_of_release},     {rule_two_cudnns},
    {rule_required_release},   {rule_required_cuda},      {rule_sublibrary_missing},
    {rule_loader_override},    {rule_dependency_missing}, {rule_dependency_mixed},
    {rule_record_differs},     {rule_needed_driver},      {rule_loader_unknown},
    {rule_gpu_of_framework},   {rule_framework_defects}};

static constexpr rule_row closing_rules[] = {
    {rule_renamed_shim}, {rule_needs_preload}, {rule_not_stamped}};

static constexpr rule_row replaced_rules[] = {{rule_replaced_in_use}};
static constexpr rule_row record_rules[] = {{rule_record_differs}};
static constexpr rule_row header_rules[] = {{rule_header_library_mismatch}};
static constexpr rule_row dependency_rules[] = {{rule_dependency_missing}, {rule_dependency_mixed}};

static constexpr rule_row machine_rules[] = {
    {rule_driver_missing}, {rule_driver_mismatch}, {rule_compat_driver}, {rule_no_device}};

/// What the loader would find for a program that has no cuDNN is not what that program will use.
static rule_list file_rules_for(const observation& observed) {
  return observed.linked ? all_of(program_file_rules) : all_of(rules_without_cudnn);
}

judgement judge_install_files(const stamp& headers, const observation& observed,
                              const judge_options& options) {
  judgement result = judged({all_of(install_file_rules), all_of(configure_rules)}, subject::install,
                            headers, observed, options);
  judge_convolutions(observed, result);
  result.reached = reached_level(observed, result.findings);
  return result;
}

judgement judge_install(const stamp& headers, const observation& observed,
                        const judge_options& options) {
  judgement result =
      judged({all_of(install_file_rules), all_of(configure_rules), all_of(install_rules)},
             subject::install, headers, observed, options);
  judge_convolutions(observed, result);
  result.reached = reached_level(observed, result.findings);
  return result;
}

judgement judge_program_files(const stamp& stamped, const observation& observed,
                              const judge_options& options) {
  judgement result =
      judged({file_rules_for(observed)}, subject::program, stamped, observed, options);
  result.reached = stamped.proved;
  return result;
}

void judge_program_further(look newest, const stamp& stamped, const observation& observed,
                           const judge_options& options, judgement& so_far) {
  apply({file_rules_for(observed), all_of(program_rules)}, newest, subject::program, stamped,
        observed, options, so_far);
}

judgement judge_unreadable_stamp(const stamp& stamped, const string& error) {
  finding f(finding_id::stamp_unreadable);
  f.summary = "the stamp of this program cannot be read: " + error;
  f.because = why<finding_id::stamp_unreadable>();
  f.fix = {advice("build it again")};
  judgement result = judged({}, subject::program, stamped, observation(), judge_options());
  result.reached = stamped.proved;
  result.conclude({f});
  return result;
}

judgement judge_start(const stamp& stamped, const observation& observed,
                      const judge_options& options) {
  judgement result = judged({all_of(start_rules)}, subject::program, stamped, observed, options);
  result.reached = stamped.proved;
  return result;
}

judgement judge_unstamped(const observation& observed, const judge_options& options) {
  stamp wanted;
  if (observed.unstamped != nullptr) {
    wanted.cudnn_header = observed.unstamped->requirement.least;
    wanted.toolkit.major = observed.unstamped->cuda_major;
  }
  const bool gets_there = observed.linked && !start_ends_program(observed.start);
  const rule_list files = gets_there ? all_of(unstamped_rules) : rule_list{unstamped_rules, 0};
  return judged({all_of(start_rules), files, all_of(closing_rules)}, subject::program, wanted,
                observed, options);
}

vector<finding> judge_records(const observation& observed, const judge_options& options) {
  return judged({all_of(record_rules)}, subject::program, stamp(), observed, options).findings;
}

vector<finding> judge_replaced(const observation& observed, const judge_options& options) {
  return judged({all_of(replaced_rules)}, subject::program, stamp(), observed, options).findings;
}

judgement judge_installed(const stamp& header, const observation& observed,
                          const judge_options& options) {
  return judged({all_of(install_file_rules), all_of(header_rules), all_of(dependency_rules)},
                subject::install, header, observed, options);
}

judgement judge_machine(const observation& observed, const judge_options& options) {
  return judged({all_of(machine_rules)}, subject::program, stamp(), observed, options);
}

/// Whether the set that the loader would take without LD_LIBRARY_PATH is one that the program can
/// use.
static bool others_would_do(const rule_input& input) {
  const cudnn_set& set = input.without_ld_path;
  const version& built = input.stamped.cudnn_header;
  if (!set.known || !set.coherent()) return false;
  // Of a program without a stamp nothing more is known.
  if (built.known() && (set.effective.major != built.major ||
                        set.effective < version{built.major, built.minor, 0})) {
    return false;
  }
  for (const library_role& role : needed_roles(input.stamped, set, input.observed.cudnn_major)) {
    if (set.find(role) == nullptr) return false;
  }
  return set.find(library_role::shim) != nullptr;
}

fix_lines fix_by_environment(const rule_input& input) {
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.file->chosen_by.preloaded()) continue;
    return {remove_from_preload(m.file->chosen_by, input.observed.ld_preload)};
  }
  if (!input.ld_path_decides || !others_would_do(input)) return {};
  return replace_library_path(
      directory_part(input.without_ld_path.find(library_role::shim)->file->path),
      input.observed.ld_library_path);
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
  return !first_there;
}

level reached_level(const observation& observed, const vector<finding>& findings) {
  if (!observed.answers.asked) return level::linked;
  level reached = observed.convolutions.empty() ? level::loaded : level::ran;
  for (const finding& f : findings) {
    if (f.weight == severity::error) reached = std::min(reached, row_of(f.id).leaves);
  }
  return reached;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
