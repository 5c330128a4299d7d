// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../namespace.h"
#include "string.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Text as printf makes it.  One call is a fraction of the code of a chain of `+`, which counts in
/// other people's programs, and the compiler checks the arguments.
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
string
format(const char* pattern, ...);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
