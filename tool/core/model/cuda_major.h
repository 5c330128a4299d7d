// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iterator>

#include "../namespace.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A row of cuda_majors.def.
struct cuda_major_row {
  int number;
  version driver;
  char wheel_ending[6];  ///< texts, not pointers: the loader relocates each pointer of a table
  char last_cudnn_8[28];
};

inline constexpr cuda_major_row cuda_majors[] = {
#define DRIVER(major, minor, patch) \
  { major, minor, patch }
#define CUDA_MAJOR_ROW(number, driver, ending, wheel) {number, DRIVER driver, ending, wheel},
#include "cuda_majors.def"
#undef CUDA_MAJOR_ROW
#undef DRIVER
};

inline constexpr int oldest_cuda_major = cuda_majors[0].number;
inline constexpr int newest_cuda_major = cuda_majors[std::size(cuda_majors) - 1].number;

/// Null for one that the table does not have.
constexpr const cuda_major_row* find_cuda_major(int major) {
  for (const cuda_major_row& row : cuda_majors) {
    if (row.number == major) return &row;
  }
  return nullptr;
}

/// Do the wheels of its toolkit share the folder "nvidia/cuN"?
constexpr bool has_cuda_folder(int major) {
  const cuda_major_row* const row = find_cuda_major(major);
  return row == nullptr ? major > newest_cuda_major : row->wheel_ending[0] == '\0';
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
