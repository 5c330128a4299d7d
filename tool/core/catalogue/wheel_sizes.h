// SPDX-License-Identifier: BSD-3-Clause
//
// How large NVIDIA's packages of cuDNN on PyPI are.
#pragma once

#include "../model/observation.h"
#include "../namespace.h"
#include "catalogue.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Whom a package is for, in the order of sizes.py.
enum class wheel_platform : unsigned char { manylinux_x86_64, manylinux_aarch64, win_amd64 };

/// A package of that release and CUDA major.
struct wheel_size {
  unsigned char major;
  unsigned char minor;
  unsigned char patch;
  unsigned char cuda_major;
  bool full;  ///< else the JIT-only one
  unsigned short megabytes[3];
};

/// In units of 1,000,000 bytes; 0: the catalogue has no such package.
int megabytes_of_wheel(const release& which, bool full, wheel_platform platform);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
