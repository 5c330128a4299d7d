// SPDX-License-Identifier: BSD-3-Clause
//
// Which driver a release of CUDA needs, on Linux.
#pragma once

#include "../../model/observation.h"
#include "../../model/version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The first driver that knows this release (13.0: 580.65.06); unknown where the table has no such
/// release.
version driver_of_cuda(version cuda);

/// The oldest driver that runs programs of any release of this major version, machine code only
/// (12: 525.60.13); unknown before 11, where there is no such promise, and for majors to come.
version driver_floor(int cuda_major);

/// The newest release that this driver knows; unknown below the table and above it.
version cuda_of_driver(version driver);

/// How well the driver suits a release of CUDA.
enum class driver_fit : unsigned char {
  unknown,
  too_old,    ///< below the floor: no CUDA call works
  code_only,  ///< runs machine code; PTX of that release is newer than its compiler
  full
};

/// By the CUDA version that the driver itself answered, else by the number of its library: that of
/// a cuda-compat package counts, not the kernel module's.
driver_fit fit_of(const driver_facts& driver, version cuda);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
