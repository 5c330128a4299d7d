// SPDX-License-Identifier: BSD-3-Clause
//
// A shim under another name, beside sub-libraries under theirs.
#include <algorithm>

#include "../../model/format.h"
#include "../../model/unstamped_program.h"
#include "../rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The newest CUDA major that the shim can be for.  A shim is often the same file for two of them,
/// and a person who copies one today copies the newer.
static int newest_cuda_of(const file_identity& identity) {
  int newest = 0;
  for (const release& r : identity.releases) newest = std::max(newest, r.cuda_major);
  return newest;
}

// The shim only forwards, and one that a package has renamed is not replaced: it gets its
// sub-libraries from whatever install the loader finds (seen: ctranslate2 4.4 and 4.6).  Those for
// a CUDA that the shim was never built for bring a second CUDA to a package that has one.
void rule_renamed_shim(const rule_input& input, arena_vector<finding>& findings) {
  const cudnn_set::member* const shim = input.set.find(library_role::shim);
  if (shim == nullptr || !is_renamed(shim->file->soname)) return;
  for (finding& f : findings.in_place()) {
    if (f.id == finding_id::mixed_sublibraries && f.weight == severity::warning &&
        may_be_for(shim->identity, majority(input.set).cuda_major)) {
      f.weight = severity::note;
      f.fix.clear();
      tell(f,
           "the shim is a copy of its package, older than the cuDNN that it forwards to\n"
           ".A newer minor release runs what an older shim forwards.\n>nothing");
    }
    if (f.id == finding_id::sublibrary_missing && f.weight == severity::error) {
      tell(f, ".Its package brings the shim alone: the first call of cuDNN ends the process.");
      f.fix =
          install_cudnn_of_cuda(input, input.observed.cudnn_major, newest_cuda_of(shim->identity));
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
