// SPDX-License-Identifier: BSD-3-Clause
//
// Files that are other ones since they were installed, or since a process has loaded them.
#include "../../model/format.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr int record_most_told = 3;

/// How a file has changed since its package was installed.
enum class since_installed : unsigned char { modified, replaced, either };

// A build id survives patchelf, so a file of its package's release is still the package's.
static since_installed change_of(const cudnn_set::member& m) {
  version recorded = m.file->package.cudnn;
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
void rule_record_differs(const rule_input& input, arena_vector<finding>& findings) {
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
           to_string(file.package.size), first ? file.package.record : arena_string(),
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

// Linux, proc(5), /proc/pid/maps: such a file is marked "(deleted)".  Its contents stay in memory.
void rule_replaced_in_use(const rule_input& input, arena_vector<finding>& findings) {
  const cudnn_set::member* first = nullptr;
  int replaced = 0;
  int loaded_later = 0;
  for (const cudnn_set::member& m : input.set.members) {
    const bool is_replaced = contains(input.observed.replaced, m.file->path);
    loaded_later += m.file->mapped ? 0 : 1;
    if (!m.file->mapped || !is_replaced) continue;
    if (first == nullptr) first = &m;
    ++replaced;
  }
  if (first == nullptr) return;
  finding& f = add_finding<finding_id::replaced_in_use>(findings);
  tell(f,
       "files of cuDNN in this process were deleted or replaced since it loaded them\n"
       ":in memory|%s|%s%s\n"
       ">restart the process",
       first->identity.releases, first->file->path,
       replaced == 1   ? arena_string()
       : replaced == 2 ? arena_string(" and another one")
                       : format(" and %d others", replaced - 1));
  if (loaded_later == 0) {
    f.weight = severity::note;
    tell(f, ".All of cuDNN is in its memory, so nothing of it is loaded any more.");
  } else {
    tell(f, "+not loaded yet|%d files", loaded_later);
  }
}
// The run path leads to the package, and to what was built with it: another release, or one for
// another CUDA, is not what was meant.  What opens cuDNN by name may get none.
void rule_passed_over(const rule_input& input, arena_vector<finding>& findings) {
  const cudnn_set::member* const shim = input.set.find(library_role::shim);
  file_identity taken;
  taken.releases = input.set.common;
  for (const absent_file& file : input.observed.passed_over) {
    const bool same = can_be(taken, {file.package.cudnn, file.package.cuda_major});
    if (shim != nullptr && (taken.releases.empty() || same)) return;
    finding& f = append_finding(findings, finding_id::library_missing);
    tell_listed(file, "a library", base_name(file.path), f);
    if (shim != nullptr) {
      f.weight = severity::warning;
      tell(f, "+taken instead|%s|%s", taken.releases, *shim->file);
    }
    f.fix.push_back(reinstall_package(input, file.package));
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
