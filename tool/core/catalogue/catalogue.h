// SPDX-License-Identifier: BSD-3-Clause
//
// Who a file of cuDNN is.  A GNU build id survives patchelf, and Debian's packages, PyPI's wheels
// and the copies inside PyTorch have the same one, so it names role, release and CUDA major of a
// file that carries no version word.  Some files are the same in several releases: an id maps to a
// set.
#pragma once

#include "../model/observation.h"
#include "../model/string.h"
#include "../model/vector.h"
#include "../model/version.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// One release that a file can belong to.
struct release {
  version number;      ///< x.y.z
  int cuda_major = 0;  ///< 0: not known
};

/// What a file can be.
struct file_identity {
  enum class source { build_id, version_word, file_name, package, none };
  source told_by = source::none;
  string role;               ///< from the catalogue; else the role of the file's name
  vector<release> releases;  ///< empty: unknown, which restricts nothing
};

/// The order of evidence: build id, exported version word, versioned file name, package record;
/// else unknown.  What is told by other than the id gets its CUDA major from the package record,
/// then from the run path.
file_identity identify(const cudnn_file& file);
file_identity identify_build_id(const string& build_id);

/// What all of the identities can be at once; identities without releases restrict nothing.
/// `known` is false where none of them has any.
vector<release> intersect(const vector<file_identity>& identities, bool& known);

/// The roles that the full package of a release ships, from the catalogue; empty where it does not
/// hold that package.  A CUDA major of 0 stands for all of them.
vector<string> roles_of(const release& which);

/// The roles of a release whose every build id the catalogue has: those of its full package, or of
/// its JIT-only package where it has no other; empty where it has neither.
vector<string> roles_with_known_ids(const release& which);

/// "libcudnn_ops.so.9.14.0" -> "ops"; "libcudnn.so.9" -> "shim"; "" where it is no cuDNN library.
/// A hash that auditwheel put into the name is left out: "libcudnn_ops-0a1b2c3d.so.9" -> "ops".
string role_of_name(const string& file_name);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
