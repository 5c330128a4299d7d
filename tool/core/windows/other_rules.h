// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// observation::other_rules of a DLL.
inline constexpr char rules_of_user[] = "a DLL: the search is that of the program which loads it";

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
