// SPDX-License-Identifier: BSD-3-Clause
//
// Files of cuDNN that are no whole libraries, and a shim that nobody here may read.
#include "../../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool is_corrupt(file_state state) {
  return ends_search(state) || state == file_state::truncated || state == file_state::unwritten ||
         state == file_state::altered;
}

// The loader, or cuDNN with the next name, has gone on to another install's file.
static void add_damaged_before(const rule_input& input, const cudnn_set::member& m,
                               vector<finding>& findings) {
  const string& path = m.file->near_miss.path;
  finding& f = append_finding(findings, finding_id::library_corrupt, "");
  f.weight = can_be(m.identity, own_releases(input).front()) ? severity::note : severity::error;
  tell(f,
       "a library of cuDNN is damaged: %s\n"
       "=expected|a whole library\n"
       ":found|%s|%s\n"
       "+instead|%s|%s\n"
       ".Another library is loaded in its place, and no error is reported.",
       base_name(path), describe(m.file->near_miss.state), path, m.identity.releases, *m.file);
  f.fix = reinstall_fix(input, path);
}

// Of a program that starts with it, the rules of its start tell.
static bool is_shim_unread(const rule_input& input, const cudnn_set::member& m) {
  return m.file->role == library_role::shim && m.file->state == file_state::unreadable &&
         input.observed.start.libraries.empty();
}

static void add_unread(const cudnn_file& file, vector<finding>& findings) {
  finding& f = append_finding(findings, finding_id::library_corrupt, "");
  f.weight = severity::unknown;
  tell(f,
       "a library of cuDNN cannot be read by this user: %s\n"
       "=expected|a file with read permission\n"
       ":found|no read permission|%s\n"
       ".What it is, and what it would load, is not known.\n"
       ">give this user read permission for %s",
       base_name(file.path), file, file.path);
}

void rule_library_corrupt(const rule_input& input, vector<finding>& findings) {
  for (const cudnn_set::member& m : input.set.members) {
    const file_state before = m.file->near_miss.state;
    if (m.member_of_set && ends_search(before)) {
      add_damaged_before(input, m, findings);
    }
    if (is_shim_unread(input, m)) add_unread(*m.file, findings);
    if (!m.member_of_set || !is_corrupt(m.file->state)) continue;
    finding& f = add_finding<finding_id::library_corrupt>(findings);
    tell(f,
         "a library of cuDNN is damaged: %s\n"
         "=expected|a whole library\n"
         ":found|%s|%s",
         base_name(m.file->path), describe_state(*m.file), *m.file);
    if (m.file->state == file_state::altered) {
      f.because = "A call into what was changed crashes, or computes something else.";
    }
    f.fix = reinstall_fix(input, m.file->path);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
