// SPDX-License-Identifier: BSD-3-Clause
//
// Files of cuDNN that are not whole libraries, and a shim that this user may not read.
#include "../../model/format.h"
#include "../../model/platform_words.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool is_corrupt(file_state state) {
  return ends_search(state) || state == file_state::truncated || state == file_state::overlong ||
         state == file_state::unwritten || state == file_state::altered;
}

static fix_lines fix_of_damaged(const rule_input& input, arena_string path) {
  const fix_lines again = bring_copy_again(input, path);
  return again.empty() ? reinstall_fix(input, path) : again;
}

// The loader, or cuDNN with the next name, has gone on to another install's file.
static void add_damaged_before(const rule_input& input, const cudnn_set::member& m,
                               arena_vector<finding>& findings) {
  const arena_string path = m.file->near_miss.path;
  finding& f = append_finding(findings, finding_id::library_corrupt);
  f.weight = can_be(m.identity, own_releases(input).front()) ? severity::note : severity::error;
  tell(f,
       "a library of cuDNN is damaged: %s\n"
       "=expected|a whole library\n"
       ":found|%s|%s\n"
       "+instead|%s|%s\n"
       ".Another library is loaded in its place, and no error is reported.",
       base_name(path), describe(m.file->near_miss.state), path, m.identity.releases, *m.file);
  f.fix = fix_of_damaged(input, path);
}

bool tell_access(const found_file& file, finding& f) {
  const bool denied = file.state == file_state::unreadable;
  if (denied) tell(f, ">give this user read permission for %s", file.path);
  const bool unmapped = is_unmapped(file);
  if (unmapped) {
    tell(f,
         ">move it to a file system that is mounted without noexec\n"
         ">mount without noexec the file system of %s",
         file.path);
  }
  return denied || unmapped;
}

// A mapped library was readable.  For a program that starts with the shim, the rules of its start
// report it.  A library that the set does not need is no fault.
static bool is_inaccessible(const rule_input& input, const cudnn_set::member& m) {
  const file_state state = m.file->state;
  if (state != file_state::unreadable && state != file_state::no_exec) return false;
  if (m.file->role == library_role::shim) return input.observed.start.libraries.empty();
  return !m.file->mapped && m.member_of_set && !is_spared(input, m.file->role);
}

/// Passed over for a file of another release, which would make it look as if two were mixed.
static bool is_passed_unread(const cudnn_set::member& m) {
  return m.member_of_set && m.file->near_miss.state == file_state::unreadable;
}

static void add_inaccessible(const rule_input& input, arena_vector<finding>& findings) {
  const bool mixed = mixed_by_absence(input);
  found_file first;
  int count = 0;
  int passed = 0;
  finding f(finding_id::library_corrupt);
  for (const cudnn_set::member& m : input.set.members) {
    const bool unread = mixed && is_passed_unread(m);
    if (!unread && !is_inaccessible(input, m)) continue;
    found_file file = *m.file;
    if (unread) {
      file.path = m.file->near_miss.path;
      file.state = m.file->near_miss.state;
      file.chosen_by = {};
    }
    tell(f, count == 0 ? ":found|%s|%s" : "+found|%s|%s", describe(file.state), file);
    if (unread) tell(f, "+taken instead|%s|%s", m.identity.releases, *m.file);
    if (count++ == 0) first = file;
    passed += unread ? 1 : 0;
  }
  if (count == 0) return;
  const bool denied = !is_unmapped(first);
  f.expected = {"expected", denied ? "a file with read permission" : "a file that can be mapped",
                ""};
  if (count == 1) {
    tell(f, "a library of cuDNN cannot be loaded by this user: %s", base_name(first.path));
  } else {
    tell(f, "%d libraries of cuDNN cannot be loaded by this user", count);
  }
  tell(f, passed != 0 ? ".The loader takes another install's in its place, and mixes two releases."
          : denied    ? ".The loader passes it over: cuDNN aborts, or its convolutions fail."
                      : ".The loader ends with \"failed to map segment from shared object\".");
  tell_access(first, f);
  findings.push_back(f);
}

/// Whether rule_start_corrupt reports the file, because the program starts with it.
static bool is_told_of_start(const rule_input& input, const cudnn_file& file) {
  return any_of(input.observed.start.libraries, [&](const start_library& library) {
    return library.path == file.path && library.state == file.state;
  });
}

void rule_library_corrupt(const rule_input& input, arena_vector<finding>& findings) {
  for (const cudnn_set::member& m : input.set.members) {
    const file_state before = m.file->near_miss.state;
    if (m.member_of_set && ends_search(before)) {
      add_damaged_before(input, m, findings);
    }
    const bool damaged = is_corrupt(m.file->state) && m.file->state != file_state::no_exec;
    if (!m.member_of_set || !damaged || is_told_of_start(input, *m.file)) continue;
    finding& f = add_finding<finding_id::library_corrupt>(findings);
    tell(f,
         "a library of cuDNN is damaged: %s\n"
         "=expected|a whole library\n"
         ":found|%s|%s",
         base_name(m.file->path), describe_state(*m.file), *m.file);
    if (failed_load() != nullptr) f.because = failed_load();
    if (m.file->state == file_state::altered) {
      f.because = "A call into what was changed crashes, or computes something else.";
    }
    if (m.file->state == file_state::overlong) {
      f.because = "The loader maps no more than its headers say, but NVIDIA released another file.";
    }
    f.fix = fix_of_damaged(input, m.file->path);
  }
  add_inaccessible(input, findings);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
