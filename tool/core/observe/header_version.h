// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/arena_string.h"
#include "../model/version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// CUDNN_MAJOR, CUDNN_MINOR and CUDNN_PATCHLEVEL of a cudnn_version.h, read as text: the files-only
/// probe is compiled without it.  Unknown where one of them is not there.
version read_header_version(arena_string header_text);

/// The release of CUDA that a header defines by that macro, CUDA_VERSION or CUDART_VERSION. Unknown
/// without it.
version read_cuda_version(arena_string header_text, const char* macro);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
