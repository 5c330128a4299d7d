// SPDX-License-Identifier: BSD-3-Clause
//
// Files that a package's record lists and that are not there: they are the cause of what the loader
// takes in their place (docs/decisions.md, "A file that a record lists is the cause").
#include "../../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_same_package(const absent_file& left, const absent_file& right) {
  return left.package.record == right.package.record;
}

static const absent_file* find_absent_role(const observation& observed, library_role role) {
  return find_where(observed.absent_files, [&](const absent_file& file) {
    return role_of_name(base_name(file.path)) == role;
  });
}

static bool comes_from(const cudnn_file& file, const cudnn_file& asker) {
  return !file.asked_by.empty() &&
         (file.asked_by == asker.path || file.asked_by == asker.real_path);
}

/// Files that the loader takes in place of an absent or unreadable file, and files that these ask
/// for.
static arena_vector<bool> find_substitutes(const rule_input& input) {
  const arena_vector<cudnn_set::member>& members = input.set.members;
  arena_vector<bool> found(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) {
    const cudnn_file& file = *members[i].file;
    const bool passed = file.near_miss.state == file_state::unreadable;
    found.in_place()[i] = members[i].member_of_set &&
                          (passed || find_absent_role(input.observed, file.role) != nullptr);
  }
  // A library is listed after those that ask for it.
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t k = 0; k < i && !found[i]; ++k) {
      found.in_place()[i] = found[k] && comes_from(*members[i].file, *members[k].file);
    }
  }
  return found;
}

/// The file that a substitute stands for; only its path is known.  The path is empty if another
/// substitute asked for this one.
static cudnn_file file_behind(const rule_input& input, const cudnn_file& substitute) {
  cudnn_file file;
  file.role = substitute.role;
  file.name = substitute.name;
  file.state = file_state::whole;
  const absent_file* const absent = find_absent_role(input.observed, substitute.role);
  if (substitute.near_miss.state == file_state::unreadable) {
    file.path = substitute.near_miss.path;
  } else if (absent != nullptr) {
    file.path = absent->path;
  }
  return file;
}

/// Whether only a default directory lends the file to a set that may come from a JIT-only package.
static bool is_lent_to_jit(const rule_input& input, const cudnn_file& file) {
  const cudnn_set::member* const shim = input.set.find(library_role::shim);
  if (shim == nullptr || is_jit_role(file.role) || !file.chosen_by.by_default()) return false;
  return none_of(input.set.members, [&](const cudnn_set::member& m) {
    return !is_jit_role(m.file->role) && beside(*m.file, *shim->file);
  });
}

// A JIT-only set without its engines would look like a part of a full one.
bool mixed_by_absence(const rule_input& input) {
  if (input.set.coherent()) return false;
  const arena_vector<bool> substitutes = find_substitutes(input);
  arena_vector<cudnn_file> own;
  bool any = false;
  for (std::size_t i = 0; i < substitutes.size(); ++i) {
    const cudnn_file& file = *input.set.members[i].file;
    any = any || substitutes[i];
    own.push_back(substitutes[i] ? file_behind(input, file) : file);
  }
  const arena_vector<cudnn_file> there = filtered(own, [&](const cudnn_file& file) {
    return !file.path.empty() && !is_lent_to_jit(input, file);
  });
  return any && make_set(there, input.observed.cudnn_major).coherent();
}

static const cudnn_set::member* substitute_of(const rule_input& input, library_role role) {
  const cudnn_set::member* const m = input.set.find(role);
  return m != nullptr && m->member_of_set ? m : nullptr;
}

bool is_told_by_record(const rule_input& input, library_role role) {
  return substitute_of(input, role) == nullptr && find_absent_role(input.observed, role) != nullptr;
}

// At configure time the install counts.  A program is refused for what it gets, never for what is
// recorded: one that finds a whole set runs.
static bool is_wanted(const rule_input& input, const arena_vector<library_role>& needed, bool mixed,
                      answer without, library_role role) {
  if (substitute_of(input, role) == nullptr && without != answer::no) {
    return without == answer::unknown;
  }
  if (input.at_configure()) {
    return input.stamped.components.empty() || role == library_role::shim || contains(needed, role);
  }
  if (substitute_of(input, role) != nullptr) return mixed;
  return contains(needed, role);
}

/// A package that does not suit the program is replaced, not installed again.
static void tell_package_again(const rule_input& input, const absent_file& file, finding& f) {
  if (suits_program(input, file.package.cudnn)) {
    f.fix.push_back(reinstall_package(input, file.package));
  } else {
    f.fix = fix_of_package(input, file.path, cudnn_kind::any);
  }
}

void tell_listed(const absent_file& file, const arena_string& which, const arena_string& names,
                 finding& f) {
  tell(f,
       "%s lacks %s that its record lists\n"
       "=listed|%s|%s\n"
       ":found|no such file|%s\n"
       ".An interrupted installation, or the removal of another package with the same folder, "
       "causes this; the package manager still lists the files.",
       file.package.name, which, names, file.package.record, directory_part(file.path));
}

// What a package lists is what its installer wrote or meant to write: pip writes RECORD before it
// is done (Python Packaging User Guide, "Recording installed projects").
void rule_record_incomplete(const rule_input& input, arena_vector<finding>& findings) {
  const arena_vector<absent_file>& absent = input.observed.absent_files;
  if (absent.empty()) return;
  // The package knows what it is; what is left of a full one may look JIT-only.
  arena_vector<library_role> needed = input.needs;
  cudnn_set set = input.set;
  if (input.at_configure()) {
    set.jit_only = false;
    needed = needed_roles(input.stamped, set, input.observed.cudnn_major);
  }
  const bool mixed = mixed_by_absence(input);
  for (std::size_t i = 0; i < absent.size(); ++i) {
    if (i > 0 && is_same_package(absent[i - 1], absent[i])) continue;
    finding f(finding_id::library_missing);
    arena_string names;
    int count = 0;
    bool certain = false;
    for (const absent_file& file : absent) {
      const arena_string name = base_name(file.path);
      const library_role role = role_of_name(name);
      const answer without = computes_without(input.stamped, set, role);
      if (!is_same_package(file, absent[i]) || !is_wanted(input, needed, mixed, without, role)) {
        continue;
      }
      certain = certain || without == answer::no;
      names += (names.empty() ? "" : ", ") + name;
      ++count;
      const cudnn_set::member* const other = substitute_of(input, role);
      if (mixed && other != nullptr) {
        tell(f, "+taken instead|%s|%s", other->identity.releases, *other->file);
      }
    }
    if (count == 0) continue;
    if (!certain) f.weight = severity::unknown;
    const bool one = count == 1;
    tell_listed(absent[i], one ? "a library" : to_string(count) + " libraries", names, f);
    tell_package_again(input, absent[i], f);
    findings.push_back(f);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
