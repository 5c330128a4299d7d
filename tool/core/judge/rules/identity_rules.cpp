// SPDX-License-Identifier: BSD-3-Clause
//
// What follows for single files from the catalogue and the records of packages.
#include "../../model/format.h"
#include "../../model/library_name.h"
#include "../../model/paths.h"
#include "../identity.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A file that nothing identifies: its build id is not in the catalogue, or was taken out.
static bool is_unidentified(const cudnn_set::member& m) {
  return m.member_of_set && m.file->state == file_state::whole &&
         m.identity.told_by == file_identity::source::none;
}

// A file whose id no other release can have.  Without one nothing is reported: a build that the
// catalogue has never seen (another machine's, a distributor's, a newer release's) is unknown in
// every file but those that NVIDIA leaves as they are.
static const cudnn_set::member* certain_member(const cudnn_set& set) {
  const cudnn_set::member* certain = nullptr;
  for (const cudnn_set::member& m : set.members) {
    if (!m.member_of_set || !is_of_one_release(m)) continue;
    if (certain == nullptr || m.file->role == library_role::graph) certain = &m;
  }
  return certain;
}

static void tell_id(finding& f, const char* pattern, const cudnn_set::member& m) {
  const arena_string id = m.file->build_id;
  tell(f, pattern, to_string(m.file->role), format(id.empty() ? "no build id" : "build id %s", id),
       *m.file, package_text(*m.file));
}

// docs/decisions.md, "A file that is not of its release": a warning, because NVIDIA may have built
// a release again.
void rule_not_of_release(const rule_input& input, arena_vector<finding>& findings) {
  const cudnn_set& set = input.set;
  if (!set.known || set.common.empty()) return;  // a mixture says more
  const release whose = set.common.front();
  for (const release& other : set.common) {
    if (other.number != whose.number) return;
  }
  const cudnn_set::member* certain = certain_member(set);
  if (certain == nullptr) return;
  const arena_vector<library_role> roles = roles_with_known_ids(whose);
  const cudnn_set::member* first = nullptr;
  int unknown = 0;
  int told = 0;
  finding f(finding_id::not_of_release);
  for (const cudnn_set::member& m : set.members) {
    if (m.member_of_set && m.identity.told_by == file_identity::source::build_id) ++told;
    if (!is_unidentified(m) || !contains(roles, m.identity.role)) continue;
    if (first == nullptr) first = &m;
    tell_id(f, unknown++ == 0 ? ":%s|%s|%s%s" : "+%s|%s|%s%s", m);
  }
  if (unknown == 0) return;
  if (unknown == 1) {
    tell(f, "a library of cuDNN is not the one of its release: %s", first->file->name);
  } else {
    tell(f, "%d libraries of cuDNN are not those of its release", unknown);
  }
  tell(f, "=%s|%s|%s%s\n.%s", to_string(certain->file->role), set.common, *certain->file,
       package_text(*certain->file), why<finding_id::not_of_release>());
  // Where most files are unknown, the one that is known may be the odd one.
  const arena_string directory = directory_part(first->file->path);
  f.fix = fix_of_package(input, first->file->path, cudnn_kind::any);
  if (!f.fix.empty()) {
    findings.push_back(f);
    return;
  }
  if (unknown < told) {
    tell(f, ">reinstall cuDNN %s in %s", set.common, directory);
  } else {
    tell(f, ">reinstall cuDNN in %s, so that every file is of one release", directory);
  }
  findings.push_back(f);
}

const found_file* shim_of_another_name(const rule_input& input) {
  const cudnn_set::member* const shim = input.set.find(library_role::shim);
  if (shim == nullptr || shim->identity.releases.empty()) return nullptr;
  const int major = shim->identity.releases.front().number.major;
  const auto is_of_another = [&](const arena_string& path) {
    const int named = major_of_name(base_name(path));
    return named != 0 && named != major;
  };
  if (is_of_another(shim->file->path)) return shim->file;
  // A library that is found through a link is mapped under the name of the file.
  for (const start_library& library : input.observed.start.libraries) {
    const bool same = !library.build_id.empty() && library.build_id == shim->file->build_id;
    if (same && is_of_another(library.path)) return &library;
  }
  return nullptr;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
