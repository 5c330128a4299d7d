// SPDX-License-Identifier: BSD-3-Clause
//
// Inside one cuDNN.  cuDNN's own checks compare three of its eight libraries; the engines and the
// heuristic, whose mixture computes wrong numbers without a word, carry no version at all
// (measured: docs/measurements.md), so the files themselves are judged.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void add_not_taken(const cudnn_file& file, finding& f) {
  const passed_file& passed = file.near_miss;
  if (passed.path.empty()) return;
  tell(f, "+not taken||%s   %s", passed.path, describe_reason(passed));
}

// The releases of most files.  If the loader finds the graph library only in a default directory,
// and the shim is of another release, another install lends what the shim's own has lost.
arena_vector<release> own_releases(const rule_input& input) {
  const release most = majority(input.set);
  const cudnn_set::member& shim = input.set.members.front();
  const cudnn_set::member* const graph = input.set.find(library_role::graph);
  const bool lent = graph != nullptr && graph->file->chosen_by.by_default() &&
                    !shim.file->chosen_by.by_default() && can_be(graph->identity, most) &&
                    !can_be(shim.identity, most);
  return lent ? shim.identity.releases : arena_vector<release>{most};
}

static arena_string usual_release(const rule_input& input) {
  if (!input.set.common.empty()) return format(" %s", input.set.common);
  const arena_vector<release> own = own_releases(input);
  return own.front().number.known() ? format(" %s", own) : arena_string();
}

/// The path of the first file that exists.
static arena_string path_of_set(const rule_input& input) {
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.file->path.empty()) return m.file->path;
  }
  return {};
}

fix_lines reinstall_fix(const rule_input& input, arena_string path) {
  const fix_lines fix = fix_by_environment(input);
  if (!fix.empty()) return fix;
  const arena_string of_path = path.empty() ? path_of_set(input) : path;
  const fix_lines again = fix_of_package(input, of_path, cudnn_kind::any);
  if (!again.empty()) return again;
  return {advice(format("reinstall cuDNN%s in %s", usual_release(input), directory_part(of_path)))};
}

static arena_string name_of_role(const rule_input& input, library_role role) {
  for (const cudnn_set::member& m : input.set.members) {
    if (m.file->role == role) return m.file->name;
  }
  return name_of_library(role, input.observed.cudnn_major);
}

static bool is_supplied(const rule_input& input, library_role role) {
  const cudnn_set::member* m = input.set.find(role);
  return m != nullptr && m->member_of_set;
}

// A file of a missing role that lies where the loader does not look says more than "missing".
static const cudnn_file* first_near_miss(const rule_input& input) {
  return find_where(input.observed.files, [&](const cudnn_file& file) {
    return file.state == file_state::missing && !file.near_miss.path.empty();
  });
}

static fix_lines near_miss_fix(const rule_input& input, const cudnn_file& file) {
  fix_lines fix = fix_by_environment(input);
  if (!fix.empty()) return fix;
  const passed_file& passed = file.near_miss;
  if (passed.reason == passed_reason::stale_cache) return {refresh_cache()};
  if (passed.reason == passed_reason::broken_link) {
    fix = reinstall_fix(input, file.path);
    fix.push_back(advice(format("repair the link %s", passed.path)));
    return fix;
  }
  return {
      prepend_library_path(typed_directory(input, passed.path), input.observed.ld_library_path)};
}

bool is_spared(const rule_input& input, library_role role) {
  return computes_without(input.stamped, input.set, role) == answer::yes;
}

static void add_missing_spared(const rule_input& input, arena_string missing,
                               const cudnn_file& anchor, arena_vector<finding>& findings) {
  finding& f = append_finding(findings, finding_id::sublibrary_missing);
  f.weight = severity::note;
  tell(f,
       "a sub-library that cuDNN computes without is missing: %s\n"
       ":found|%s|%s\n"
       ".Only calls of functions of its own fail.\n"
       ">nothing",
       missing, input.set.common, anchor);
  append(reinstall_fix(input, anchor.path), f.fix);
}

// Whether the program calls functions of the other library first is not known.
static void add_not_reached(const rule_input& input, arena_vector<finding>& findings) {
  if (input.observed.not_reached.empty()) return;
  const cudnn_file& file = input.observed.not_reached.front();
  finding& f = append_finding(findings, finding_id::sublibrary_missing);
  f.weight = severity::warning;
  tell(f,
       "a sub-library of cuDNN does not find another one that it needs: %s\n"
       "=needed|%s|by %s",
       file.name, file.name, file.asked_by);
  add_not_taken(file, f);
  tell(f, ".A call of %s ends the process, unless the program calls functions of %s first.",
       base_name(file.asked_by), file.name);
  f.fix = near_miss_fix(input, file);
}

void append_name(arena_string name, arena_string& names) {
  if (!names.empty()) names += ", ";
  names += name;
}

// At configure time an install that lacks what its release ships is incomplete.
void rule_sublibrary_missing(const rule_input& input, arena_vector<finding>& findings) {
  if (!input.observed.linked || path_of_set(input).empty()) return;
  if (shim_of_another_name(input) != nullptr) return;  // it asks for those of its own release
  // If the shim cannot be read, it is not known where it would search.
  const file_state shim = input.set.members.front().file->state;
  if (is_corrupt(shim) || shim == file_state::foreign || shim == file_state::unreadable) return;
  arena_string missing;
  arena_string spared;
  int count = 0;
  bool certain = false;
  for (const library_role& role : input.needs) {
    if (is_supplied(input, role)) continue;
    const answer without = computes_without(input.stamped, input.set, role);
    if (without == answer::yes) {
      append_name(name_of_role(input, role), spared);
      continue;
    }
    if (is_told_by_record(input, role)) continue;
    append_name(name_of_role(input, role), missing);
    certain = certain || without == answer::no;
    ++count;
  }
  const cudnn_set::member* anchor = input.set.find(computing_role(input.observed.cudnn_major));
  if (anchor == nullptr) anchor = &input.set.members.front();
  if (count == 0) {
    if (!spared.empty()) add_missing_spared(input, spared, *anchor->file, findings);
    add_not_reached(input, findings);
    return;
  }
  const cudnn_file* const missed = first_near_miss(input);
  finding& f = add_finding<finding_id::sublibrary_missing>(findings);
  if (count == 1) {
    tell(f, "a sub-library of %s is missing: %s", input.set.jit_only ? "a JIT-only cuDNN" : "cuDNN",
         missing);
  } else {
    tell(f, "%d sub-libraries of cuDNN are missing", count);
  }
  tell(f, "=needed|%s\n:found|%s|%s", missing,
       input.set.common.empty() ? anchor->identity.releases : input.set.common, *anchor->file);
  if (missed != nullptr) add_not_taken(*missed, f);
  if (!certain) {
    f.weight = severity::unknown;
    tell(f, ".Whether this release computes without %s was not measured.",
         count == 1 ? "it" : "them");
  }
  f.fix =
      missed == nullptr ? reinstall_fix(input, anchor->file->path) : near_miss_fix(input, *missed);
  if (input.set.jit_files && missed == nullptr &&
      (input.at_configure() || fix_by_environment(input).empty())) {
    f.fix = fix_of_package(input, anchor->file->path, cudnn_kind::full);
    if (f.fix.empty()) f.fix = {advice(instead_of_jit_only)};
  }
  if (!input.at_configure()) return;
  const arena_string components = working_components(input.set, input.observed.cudnn_major);
  if (!components.empty()) tell(f, ">ask for COMPONENTS %s", components);
}

bool may_be_for(const file_identity& identity, int cuda_major) {
  return any_of(identity.releases,
                [&](const release& r) { return r.cuda_major == cuda_major || r.cuda_major == 0; });
}

bool only_the_shim_is_older(const rule_input& input, const release& most) {
  if (input.at_configure()) return false;
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.member_of_set || can_be(m.identity, most)) continue;
    if (m.file->role != library_role::shim) return false;
    for (const release& r : m.identity.releases) {
      if (r.number.major != most.number.major || most.number < r.number) return false;
    }
  }
  return true;
}

/// The shim may be the only sign of the CUDA that the program has: then sub-libraries for another
/// one are no harmless upgrade.  What the program names itself is the rules' of CUDA.
static bool is_harmless_upgrade(const rule_input& input, const release& most) {
  if (!only_the_shim_is_older(input, most)) return false;
  const unstamped_program* const program = input.unstamped();
  const bool known =
      input.stamped.toolkit.known() || (program != nullptr && program->requirement.cuda_major != 0);
  return known || may_be_for(input.set.members.front().identity, most.cuda_major);
}

/// The file of that role that would be taken without LD_LIBRARY_PATH, where it is another.
static const cudnn_set::member* passed_over(const rule_input& input, const cudnn_file& taken) {
  if (taken.chosen_by.reason != choice_reason::ld_library_path) return nullptr;
  const cudnn_set::member* other = input.without_ld_path.find(taken.role);
  return other == nullptr || other->file->path == taken.path ? nullptr : other;
}

static void tell_member(finding& f, const char* pattern, const cudnn_set::member& m,
                        const arena_vector<release>& releases) {
  tell(f, pattern, to_string(m.file->role), releases, *m.file, package_text(*m.file));
}

static void add_mixed_files(const rule_input& input, const release& most, finding& f,
                            const cudnn_file*& usual) {
  const cudnn_set::member* other = nullptr;
  bool usual_is_certain = false;
  bool one_number = true;
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.member_of_set) continue;
    const bool odd = !can_be(m.identity, most);
    if (!odd) {
      // A shim is often of several releases or CUDA majors; one that can be nothing else identifies
      // more.
      const bool certain = m.identity.releases.size() == 1;
      if (m.identity.releases.empty() || (usual != nullptr && (usual_is_certain || !certain)))
        continue;
      usual = m.file;
      usual_is_certain = certain;
      tell_member(f, "=%s|%s|%s%s", m, {most});
      continue;
    }
    one_number = one_number && can_be(m.identity, {most.number, 0});
    if (other == nullptr) other = passed_over(input, *m.file);
    tell_member(f, f.found.label.empty() ? ":%s|%s|%s%s" : "+%s|%s|%s%s", m, m.identity.releases);
    add_not_taken(*m.file, f);
  }
  if (other != nullptr && can_be(other->identity, most)) {
    tell(f, "+passed over|%s|%s", other->identity.releases, *other->file);
  }
  tell(f, one_number ? "the files of cuDNN are of one release for two CUDA majors"
                     : "the files of cuDNN are of more than one release");
}

/// Files of one release from several directories work; where one of them is not identified, it may
/// be another release's.  (Directories are evidence only there: links, Nix, conda.)
static void add_other_directory(const rule_input& input, arena_vector<finding>& findings) {
  const cudnn_set::member* const graph = input.set.find(library_role::graph);
  if (graph == nullptr || !input.set.known) return;
  const cudnn_file& first = *graph->file;
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.member_of_set || is_corrupt(m.file->state) || m.file->state == file_state::foreign ||
        directory_part(m.file->path) == directory_part(first.path) ||
        directory_part(m.file->real_path) == directory_part(first.real_path)) {
      continue;
    }
    const bool known = !m.identity.releases.empty();
    finding& f = append_finding(findings, finding_id::mixed_sublibraries);
    f.weight = known ? severity::note : severity::unknown;
    tell(f,
         "the files of cuDNN come from more than one directory\n"
         "=graph|%s|%s\n"
         ":%s|%s|%s\n"
         ".%s\n"
         ">nothing, unless an upgrade of one of the two is planned",
         graph->identity.releases, first, to_string(m.file->role), m.identity.releases, *m.file,
         known ? "They are of one release, so they work together."
               : "Whether they are of one release is not known.");
    return;
  }
}

bool mixed_in_every_order(const rule_input& input) {
  if (input.set.coherent()) return false;
  if (input.set.jit_only) return true;
  return none_of(input.observed.orders, [&](const order_variant& order) {
    return make_set(files_in_order(input, order), input.observed.cudnn_major).coherent();
  });
}

/// A member of another release that reinstalling this one does not replace, because its package has
/// no such file; null where there is none.
static const cudnn_set::member* find_unshipped(const rule_input& input, const release& most) {
  const arena_vector<library_role> shipped = roles_of(most);
  for (const cudnn_set::member& m : input.set.members) {
    if (!m.member_of_set || can_be(m.identity, most) || !is_optional_role(m.file->role)) continue;
    if (input.set.jit_only || (!shipped.empty() && !contains(shipped, m.file->role))) return &m;
  }
  return nullptr;
}

// Nothing that the program uses is removed: what is sound stays.
static fix_lines fix_of_unshipped(const rule_input& input, const cudnn_set::member& m,
                                  const release& most) {
  const choice& why = m.file->chosen_by;
  const arena_string directory = directory_part(m.file->path);
  const cudnn_set::member* const graph = input.set.find(library_role::graph);
  fix_lines fix;
  if (graph != nullptr && directory_part(graph->file->path) == directory) {
    fix.push_back(advice(
        format("remove %s, which the package of this cuDNN does not contain", m.file->path)));
  } else if (why.preloaded()) {
    fix.push_back(remove_from_preload(why, input.observed.ld_preload));
  } else if (why.reason == choice_reason::ld_library_path) {
    fix.push_back(remove_from_library_path(why.index, input.observed.ld_library_path));
  } else if (why.reason == choice_reason::ld_so_cache) {
    fix.push_back(remove_from_loader_cache(directory));
  } else {
    fix.push_back(
        advice(format("let the loader find no %s of another release", base_name(m.file->path))));
  }
  const bool ships = contains(roles_of(most), m.file->role);
  const version with = ships ? most.number : first_release_with(m.file->role, most);
  if (with.known()) {
    fix.push_back(
        advice(format("use the full package of cuDNN %s or newer, which contains its own %s", with,
                      base_name(m.file->path))));
  }
  return fix;
}

// Windows looks for every file in the same directories (windows/dll_rules.h), so the whole set must
// lie in the first of them that has a file of cuDNN; null for other loaders.
static const cudnn_file* first_in_search(const rule_input& input) {
  const cudnn_file* first = nullptr;
  for (const cudnn_set::member& m : input.set.members) {
    const choice& why = m.file->chosen_by;
    if (why.reason < choice_reason::program_directory) return nullptr;
    const bool is_before =
        first == nullptr || why.reason < first->chosen_by.reason ||
        (why.reason == first->chosen_by.reason && why.index < first->chosen_by.index);
    if (is_before) first = m.file;
  }
  return first;
}

// Windows: PATH leads to a file of another release before the rest, which no package changes.
static fix_lines fix_of_stray(const rule_input& input, const release& most) {
  choice stray;
  int last = -1;
  for (const cudnn_set::member& m : input.set.members) {
    const choice& why = m.file->chosen_by;
    const bool by_path = why.reason == choice_reason::path;
    if (can_be(m.identity, most)) {
      if (by_path && why.index > last) last = why.index;
    } else if (m.member_of_set) {
      if (!by_path || (stray.known() && stray.index != why.index)) return {};
      stray = why;
    }
  }
  // What no later entry has would be missing then.
  if (!stray.known() || stray.index >= last) return {};
  return {remove_from_library_path(stray.index, input.observed.ld_library_path)};
}

// A process with two cuDNNs is reported as such: that their files do not match follows from it.
void rule_mixed_sublibraries(const rule_input& input, arena_vector<finding>& findings) {
  if (input.set.coherent()) {
    add_other_directory(input, findings);
    return;
  }
  if (!mixed_in_every_order(input) || has_two_cudnns(input) || mixed_by_absence(input)) return;
  const release most = majority(input.set);
  finding& f = add_finding<finding_id::mixed_sublibraries>(findings);
  if (is_harmless_upgrade(input, most)) f.weight = severity::warning;
  const cudnn_file* usual = nullptr;
  add_mixed_files(input, most, f, usual);
  if (const cudnn_set::member* const m = find_unshipped(input, most)) {
    tell(
        f,
        ".cuDNN asks for this library by name and refuses one of another release: its convolutions "
        "fail with CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH.");
    f.fix = fix_of_unshipped(input, *m, most);
  }
  if (f.fix.empty()) f.fix = fix_by_environment(input);
  if (f.fix.empty()) f.fix = fix_of_stray(input, most);
  // The program's own cuDNN is the one that its shim is of.
  if (f.fix.empty()) {
    f.fix = fix_of_package(input, input.set.members.front().file->path, cudnn_kind::any);
  }
  if (f.fix.empty()) {
    const arena_vector<release> own = own_releases(input);
    const bool is_most = own.front().number == most.number;
    const cudnn_file* place = first_in_search(input);
    if (place == nullptr) place = is_most ? usual : input.set.members.front().file;
    tell(f, ">reinstall cuDNN %s in %s, so that every file comes from there", own,
         directory_part(place->path));
  }
}
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
