// SPDX-License-Identifier: BSD-3-Clause
//
// A cuDNN under the name of another one.  The guard compares releases, whatever the name is.
#include "../../model/format.h"
#include "../../model/library_name.h"
#include "../../model/paths.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// ld.so(8): the loader looks for the name.  What a link or a copy of that name is, it does not ask.
void rule_shim_of_another_name(const rule_input& input, arena_vector<finding>& findings) {
  const found_file* const file = shim_of_another_name(input);
  if (file == nullptr) return;
  const arena_string name = base_name(file->path);
  const int named = major_of_name(name);
  const arena_vector<release>& releases = input.set.find(library_role::shim)->identity.releases;
  finding& f = add_finding<finding_id::cudnn_major>(findings);
  tell(f,
       "%s is not cuDNN %d: it is cuDNN %s under that name\n"
       "=asked for|cuDNN %d|%s\n"
       ":would load|%s|%s",
       name, named, releases, named, name, releases, where_of(*file));
  if (!input.at_configure()) f.fix = fix_by_environment(input);
  if (!f.fix.empty()) return;
  if (!input.at_configure()) f.fix = install_cudnn_of_cuda(input, named, cuda_major_of_set(input));
  tell(f, ">remove %s, which is a copy of another release or a link to it", file->path);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
