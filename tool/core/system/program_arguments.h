// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The arguments of main(), in UTF-8.  `words` is what main() was given.
char** program_arguments(int count, char** words);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
