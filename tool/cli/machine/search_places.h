// SPDX-License-Identifier: BSD-3-Clause
//
// The table of places in which a cuDNN is searched (core/observe/search_places.def), which the find
// module has as well.
#pragma once

#include "../../core/model/arena_string.h"
#include "../../core/model/arena_vector.h"

namespace cudnn_checked::cli {

enum class search_stage : unsigned char { hint, prefixes, include, python, conda, cuda, system };

/// The environment variables of that stage, in the order in which the find module looks at them.
arena_vector<arena_string> searched_variables(search_stage stage);

/// The directories of that stage: "/usr/local/cuda".
arena_vector<arena_string> searched_directories(search_stage stage);

enum class search_folder : unsigned char {
  wheel,
  libraries,
  headers,
  dlls,
  dll_headers,
  own,
  own_dlls,
  portable
};

/// The folders below a place: "nvidia/cudnn", "lib/TRIPLET", "targets/TARGET/lib", "bin/CUDA".
arena_vector<arena_string> searched_folders(search_folder kind);

enum class known_installer : unsigned char { cuda, cudnn, vcpkg };

/// A folder that an installer makes on Windows.
struct known_install {
  known_installer by;
  const char* variable;  ///< of the environment, which names the directory above
  const char* name;      ///< "NVIDIA/CUDNN/v*"
};

arena_vector<known_install> known_installs();

}  // namespace cudnn_checked::cli
