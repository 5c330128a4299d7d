// SPDX-License-Identifier: BSD-3-Clause
//
// What follows for single files from the catalogue and the records of packages.
#include "../../model/format.h"
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
  const string& id = m.file->build_id;
  tell(f, pattern, to_string(m.file->role), format(id.empty() ? "no build id" : "build id %s", id),
       *m.file, package_text(*m.file));
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
  const string directory = directory_part(first->file->path);
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

static constexpr int record_most_told = 3;

/// What a file has become since its package was installed.
enum class since_installed { modified, replaced, either };

// A build id survives patchelf, so a file of its package's release is still the package's.
static since_installed change_of(const cudnn_set::member& m) {
  const version& recorded = m.file->package.cudnn;
  if (m.identity.told_by != file_identity::source::build_id || !recorded.known()) {
    return since_installed::either;
  }
  return can_be(m.identity, {recorded, 0}) ? since_installed::modified : since_installed::replaced;
}

static void tell_difference(const rule_input& input, const cudnn_set::member& m,
                            since_installed change, finding& f) {
  const package_record& package = m.file->package;
  if (change == since_installed::replaced) {
    tell(f, ".%s\n$%s", why<finding_id::record_differs>(), reinstall_package(input, package).text);
    return;
  }
  const bool modified = change == since_installed::modified;
  f.weight = modified ? severity::note : severity::unknown;
  tell(f, ".%s\n>nothing, if that was intended\n$%s",
       modified
           ? "It was modified after the installation, as patchelf does; its build id is that of "
             "its release."
           : "It was modified or replaced after the installation; which is not known.",
       reinstall_package(input, package).text);
}

// The length in a wheel's RECORD or in conda's list is that of the file that was installed (Python
// Packaging User Guide, "Recording installed projects").
void rule_record_differs(const rule_input& input, vector<finding>& findings) {
  for (const since_installed change :
       {since_installed::replaced, since_installed::modified, since_installed::either}) {
    finding f(finding_id::record_differs);
    int count = 0;
    for (const cudnn_set::member& m : input.set.members) {
      const cudnn_file& file = *m.file;
      const bool differs = file.package.same_size == answer::no && change_of(m) == change;
      if (!m.member_of_set || file.state != file_state::whole || !differs) continue;
      const bool first = ++count == 1;
      if (count > record_most_told) continue;
      tell(f,
           first ? "=recorded|%s bytes|%s\n:found|%s bytes|%s"
                 : "+recorded|%s bytes|%s\n+found|%s bytes|%s",
           to_string(file.package.size), first ? file.package.record : string(),
           to_string(file.size), file);
      if (!first) continue;
      tell(f, "%s is not as long as the record of %s says", file.name, file.package.name);
      tell_difference(input, m, change, f);
    }
    if (count == 0) continue;
    if (count > 1) {
      tell(f, "%d libraries of cuDNN are not as long as the record of their package says", count);
    }
    findings.push_back(f);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
