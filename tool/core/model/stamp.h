// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../namespace.h"
#include "architecture.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "level.h"
#include "library_role.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The facts that were verified when a program was configured, and what the program was compiled
/// for.
struct stamp {
  arena_string program;   ///< name of the CMake target; empty for the probe
  arena_string package;   ///< release of this project
  version cudnn_header;   ///< of cudnn_version.h
  version cudnn_library;  ///< what cudnnGetVersion() answered
  version cudart;         ///< CUDA runtime inside cuDNN
  version toolkit;        ///< CUDART_VERSION of the headers
  version runtime;        ///< cudaRuntimeGetVersion()
  version driver;         ///< CUDA version of the driver at configure time; unknown without one
  level proved = level::none;
  arena_vector<architecture> measured;    ///< GPUs on which the convolutions ran
  arena_vector<device_code> compiled;     ///< from CUDA_ARCHITECTURES of a target with CUDA sources
  arena_vector<arena_string> components;  ///< the COMPONENTS asked for; empty means all
  arena_vector<library_role> sublibraries;  ///< what the program needs
  arena_vector<arena_string> operations;    ///< what it says that it uses: "conv3d/bf16", ...
  arena_string policy = "compatible";       ///< "compatible", "exact" or "major"
  bool gpu_optional = false;                ///< cudnn_checked_guard(... GPU OPTIONAL)
  arena_string guard;  ///< CuDNNChecked_GUARD of a whole build: "warn", "off" or empty
};

/// Reads the JSON of a stamp (schema 1).  On failure returns false and says why in `error`.
bool parse_stamp(std::string_view json, stamp& result, arena_string& error);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
