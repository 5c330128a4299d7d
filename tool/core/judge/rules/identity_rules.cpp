// SPDX-License-Identifier: BSD-3-Clause
//
// What follows for single files from the catalogue and the records of packages.
#include "../../model/format.h"
#include "../identity.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A file that nothing identifies, although it has a build id: one that the catalogue does not have.
static bool has_unknown_id(const cudnn_set::member& m) {
  return m.member_of_set && m.file->state == file_state::whole && !m.file->build_id.empty() &&
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

static fact id_of(const cudnn_set::member& m) {
  return {to_string(m.file->role), "build id " + m.file->build_id,
          where_of(*m.file) + package_text(*m.file)};
}

// docs/decisions.md, "A file that is not of its release": a warning, because NVIDIA may have built
// a release again.
void rule_not_of_release(const rule_input& input, vector<finding>& findings) {
  const cudnn_set& set = input.set;
  if (!set.known || set.common.empty()) return;  // a mixture says more
  const release whose = set.common.front();
  for (const release& other : set.common) {
    if (other.number != whose.number) return;
  }
  const cudnn_set::member* certain = certain_member(set);
  if (certain == nullptr) return;
  const vector<library_role> roles = roles_with_known_ids(whose);
  finding f(finding_id::not_of_release);
  int unknown = 0;
  int told = 0;
  for (const cudnn_set::member& m : set.members) {
    if (m.member_of_set && m.identity.told_by == file_identity::source::build_id) ++told;
    if (!has_unknown_id(m) || !contains(roles, m.identity.role)) continue;
    if (++unknown == 1) {
      f.summary = "a library of cuDNN is not the one of its release: " + m.file->name;
      f.found = id_of(m);
      f.fix = directory_part(m.file->path);
    } else {
      f.more.push_back(id_of(m));
    }
  }
  if (unknown == 0) return;
  if (unknown > 1) {
    f.summary = format("%d libraries of cuDNN are not those of its release", unknown);
  }
  f.expected = {to_string(certain->file->role), describe(set.common),
                where_of(*certain->file) + package_text(*certain->file)};
  f.because = why<finding_id::not_of_release>();
  // Where most files are unknown, the one that is known may be the odd one.
  f.fix =
      unknown < told
          ? format("reinstall cuDNN %s in %s", describe(set.common).c_str(), f.fix.c_str())
          : format("reinstall cuDNN in %s, so that every file is of one release", f.fix.c_str());
  findings.push_back(f);
}

static bool is_same_package(const absent_file& left, const absent_file& right) {
  return left.package.record == right.package.record;
}

// What a package lists is what its installer wrote or meant to write: pip writes RECORD before it
// is done (Python Packaging User Guide, "Recording installed projects").
void rule_record_incomplete(const rule_input& input, vector<finding>& findings) {
  // The package knows what it is; what is left of a full one may look JIT-only.
  cudnn_set full = input.set;
  full.jit_only = false;
  const vector<library_role> needed = needed_roles(input.stamped, full, input.observed.cudnn_major);
  const vector<absent_file>& absent = input.observed.absent_files;
  for (std::size_t i = 0; i < absent.size(); ++i) {
    if (i > 0 && is_same_package(absent[i - 1], absent[i])) continue;
    string names;
    int count = 0;
    for (const absent_file& file : absent) {
      const string name = base_name(file.path);
      const library_role role = role_of_name(name);
      const bool is_needed =
          input.stamped.components.empty() || role == library_role::shim || contains(needed, role);
      if (!is_same_package(file, absent[i]) || !is_needed) continue;
      names += (names.empty() ? "" : ", ") + name;
      ++count;
    }
    if (count == 0) continue;
    const package_record& package = absent[i].package;
    finding f(finding_id::library_missing);
    f.summary = package.name + " lacks " +
                (count == 1 ? "a library" : to_string(count) + " libraries") +
                " that its record lists";
    f.expected = {"listed", names, package.record};
    f.found = {"found", "no such file", directory_part(absent[i].path)};
    f.because =
        "An interrupted installation, or the removal of another package with the same folder, "
        "causes this; the package manager still lists the files.";
    f.fix = reinstall(package);
    findings.push_back(f);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
