// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The sequences of core.
template <class T>
using vector = std::vector<T>;

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
