// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/arena_string.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::prove {

/// What a person types for the CMake that runs: "cmake" if the first one on PATH is the same,
/// otherwise its path.
arena_string cmake_to_type(const system_interface& os, const arena_string& running);

}  // namespace cudnn_checked::prove
