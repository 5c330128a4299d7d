// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A header of cuDNN that cudnn.h includes, or that one of those includes.
struct cudnn_header {
  arena_string path;
  arena_string included_by;  ///< path; empty for cudnn.h itself
  version release;           ///< unknown where it says none
  bool there = true;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
