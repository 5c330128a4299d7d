// SPDX-License-Identifier: BSD-3-Clause
//
// Files of which a process has an older one in memory, or which a package has lost.
#include "../../model/format.h"
#include "../../model/paths.h"
#include "../rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

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
