// SPDX-License-Identifier: BSD-3-Clause
//
// Files that are other ones since they were installed.
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

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
