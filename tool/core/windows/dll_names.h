// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/arena_string.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// NVRTC keeps the name of its first release of a CUDA major, in CUDA 11 that of 11.2 (NVRTC User
/// Guide, "Versioning Scheme"); cuDNN has "nvrtc64_%d_0.dll" (8.9.4 for CUDA 11).
arena_string name_of_nvrtc(int cuda_major);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
