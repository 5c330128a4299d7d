// SPDX-License-Identifier: BSD-3-Clause
//
// What a package of cuDNN was measured to do where libraries of it are not there.
#pragma once

#include "../model/arena_vector.h"
#include "../model/library_role.h"
#include "../model/observation.h"
#include "../model/version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A package as it was measured.  Bits are values of library_role::known.
struct measured_package {
  bool finalizes;  ///< as it is: NVIDIA's JIT-only package of 9.12.0 does not
  unsigned ships;
  unsigned breaks;  ///< without one of these cuDNN finalizes no descriptor, so it computes nothing
  unsigned spares;  ///< without any of these, in each combination, it does
};

/// A release, and its packages as indices + 1 of measured_package; 0: not measured.
struct measured_release {
  unsigned char major;
  unsigned char minor;
  unsigned char patch;
  unsigned char full;
  unsigned char jit;
};

/// Does cuDNN finalize descriptors, without which it computes nothing, where the libraries of these
/// roles are not there?  What a package does not ship it is not without.
///
/// Measured (tool/data/catalogue/README.md, "Needs").  Of a release that was not, what its nearest
/// measured neighbours do not ship is no part of it; and where both are of its minor release and
/// agree, so does it, because patch releases keep the files and what they ask for.  Else unknown.
answer finalizes_without(version number, bool jit_only, const arena_vector<library_role>& missing);

/// Do the libraries of a JIT-only package of that release finalize descriptors?
answer finalizes_as_jit_only(version number);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
