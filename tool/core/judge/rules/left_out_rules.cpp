// SPDX-License-Identifier: BSD-3-Clause
//
// Which file decides, and whether all files were looked at.
#include "../../model/cudnn_major.h"
#include "../../model/format.h"
#include "../../model/paths.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const cudnn_file* deciding_file(const rule_input& input) {
  const cudnn_set::member* m = input.set.find(computing_role(input.observed.cudnn_major));
  if (m == nullptr || m->identity.releases.empty()) m = input.set.find(library_role::shim);
  return m == nullptr ? nullptr : m->file;
}

void rule_left_out(const rule_input& input, arena_vector<finding>& findings) {
  const cudnn_file* const file = deciding_file(input);
  if (input.observed.left_out == 0 || file == nullptr) return;
  tell(append_finding(findings, finding_id::version_unknown),
       "not all was looked at: more libraries of cuDNN lie in one directory than a release has\n"
       "=beside|%s|%s\n"
       ":left out|%d libraries\n"
       ".Which of them cuDNN loads, and what they are, is not known.\n"
       ">take out of %s what is not cuDNN's",
       base_name(file->path), directory_part(file->path), input.observed.left_out,
       directory_part(file->path));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
