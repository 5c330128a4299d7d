// SPDX-License-Identifier: BSD-3-Clause
#include "judge.h"

#include <algorithm>
#include <cstddef>

#include "../model/paths.h"
#include "rule_lists.h"
#include "rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool chosen_by_ld_path(const cudnn_file& file) {
  return file.chosen_by.reason == choice_reason::ld_library_path;
}

static void replace_by(const alternative_file& other, cudnn_file& file) {
  file.path = other.path;
  file.real_path = other.real_path;
  file.chosen_by = other.chosen_by;
  file.build_id = other.build_id;
  file.word = other.word;
  file.name_version = other.name_version;
  file.mapped = false;
  // Nothing is known of the other file's package, or of files that the loader passes over before
  // it.
  file.package = {};
  file.run_path_cuda_major = 0;
  file.near_miss = {};
  file.state = other.path.empty() ? file_state::missing : file_state::whole;
}

static arena_vector<cudnn_file> files_without_ld_path(const observation& observed) {
  arena_vector<cudnn_file> files = observed.files;
  // Files that only LD_LIBRARY_PATH brings are missing without it.
  for (cudnn_file& file : files.in_place()) {
    if (chosen_by_ld_path(file)) file.state = file_state::missing;
  }
  for (const alternative_file& other : observed.alternatives) {
    bool known = false;
    for (cudnn_file& file : files.in_place()) {
      if (file.role != other.role) continue;
      replace_by(other, file);
      known = true;
    }
    if (known) continue;
    // A damaged shim asked for nothing; the whole one that is found instead of it will.
    cudnn_file file;
    file.role = other.role;
    file.name = base_name(other.path);
    replace_by(other, file);
    files.push_back(file);
  }
  return files;
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

static void weigh_as_unknown(arena_vector<finding>& findings) {
  for (finding& f : findings.in_place()) {
    const bool predicted = f.id != finding_id::cannot_start && row_of(f.id).rests_on != basis::gpus;
    if (predicted && f.weight != severity::note) f.weight = severity::unknown;
  }
}

judgement judged(rule_list rules, subject who, const stamp& stamped, const observation& observed,
                 const judge_options& options) {
  judgement result;
  result.set = make_set(observed.files, observed.cudnn_major);
  result.needs = needed_roles(stamped, result.set, observed.cudnn_major);
  result.computes = observed.answers.asked ? observed.answers.library : result.set.effective;
  arena_vector<cudnn_file> other_files;
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
  rule_run run(input);
  rules(run);
  arena_vector<finding> findings = run.findings();
  if (rests_on_other_rules(input)) weigh_as_unknown(findings);
  result.conclude(std::move(findings));
  return result;
}

/// Whether the program can use the set that the loader would take without LD_LIBRARY_PATH.
static bool others_would_do(const rule_input& input) {
  const cudnn_set& set = input.without_ld_path;
  version built = input.stamped.cudnn_header;
  if (!set.known || !set.coherent()) return false;
  // For a program without a stamp this is all that can be checked.
  if (built.known() && (set.effective.major != built.major ||
                        set.effective < version{built.major, built.minor, 0})) {
    return false;
  }
  for (const library_role& role : needed_roles(input.stamped, set, input.observed.cudnn_major)) {
    if (set.find(role) == nullptr && computes_without(input.stamped, set, role) != answer::yes) {
      return false;
    }
  }
  return set.find(library_role::shim) != nullptr;
}

arena_string typed_directory(const rule_input& input, const arena_string& path) {
  const arena_string directory = directory_part(path);
  arena_string plain = plain_directory(directory);
  if (plain.size() > 1) plain.shorten(plain.size() - 1);
  const auto is_there = [&](const found_file& file) {
    return directory_part(file.path) == directory && directory_part(file.real_path) == plain;
  };
  const bool same =
      any_of(input.observed.files, is_there) || any_of(input.observed.alternatives, is_there);
  return same ? plain : directory;
}

fix_lines fix_by_environment(const rule_input& input) {
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.file->chosen_by.preloaded()) continue;
    return {remove_from_preload(m.file->chosen_by, input.observed.ld_preload)};
  }
  if (!input.ld_path_decides || !others_would_do(input)) return {};
  return replace_library_path(
      typed_directory(input, input.without_ld_path.find(library_role::shim)->file->path),
      input.observed.ld_library_path);
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
