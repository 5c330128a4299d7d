// SPDX-License-Identifier: BSD-3-Clause
#include "wheel_sizes.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

#include "sizes_table.inc"

int megabytes_of_wheel(const release& which, bool full, wheel_platform platform) {
  for (const wheel_size& row : wheel_sizes) {
    const bool same = version{row.major, row.minor, row.patch} == which.number &&
                      row.cuda_major == which.cuda_major && row.full == full;
    if (same) return row.megabytes[static_cast<int>(platform)];
  }
  return 0;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
