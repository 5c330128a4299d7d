// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The strings of core.
using string = std::string;

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
