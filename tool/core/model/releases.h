// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Rows of releases.def.
namespace since {
#define SINCE(name, major, minor, patch) inline constexpr version name{major, minor, patch};
#include "releases.def"
#undef SINCE
inline constexpr version no_bound{};
}  // namespace since

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
