// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iterator>

#include "../namespace.h"
#include "library_role.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A row of cudnn_majors.def.
struct cudnn_major_row {
  int number;
  library_role::known computes;
};

inline constexpr cudnn_major_row cudnn_majors[] = {
#define CUDNN_MAJOR_ROW(number, unit, role) {number, library_role::role},
#include "cudnn_majors.def"
#undef CUDNN_MAJOR_ROW
};

inline constexpr int oldest_cudnn = cudnn_majors[0].number;
inline constexpr int newest_cudnn = cudnn_majors[std::size(cudnn_majors) - 1].number;

/// The library that computes, or through which everything that computes is called.
constexpr library_role::known computing_role(int cudnn_major) {
  library_role::known role = cudnn_majors[0].computes;
  for (const cudnn_major_row& row : cudnn_majors) {
    if (row.number <= cudnn_major) role = row.computes;
  }
  return role;
}

/// With it came the libraries of engines, JIT-only packages, and names that have the release.
constexpr bool has_graph_library(int cudnn_major) {
  return computing_role(cudnn_major) == library_role::graph;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
