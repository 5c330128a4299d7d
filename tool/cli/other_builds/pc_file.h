// SPDX-License-Identifier: BSD-3-Clause
//
// A file of pkg-config, as pkg-config and pkgconf read it (pc(5)).
#pragma once

#include <string>
#include <string_view>

#include "../../core/model/arena_string.h"
#include "../../core/model/arena_vector.h"

namespace cudnn_checked::cli {

struct pc_contents {
  arena_string release;            ///< "9.14.0"
  arena_string described;          ///< "9.14.0 for CUDA 13, full"
  arena_string library;            ///< path of libcudnn.so.N
  arena_string library_directory;  ///< where its sub-libraries are
  arena_string headers;
  arena_string cuda_headers;                ///< empty: none
  arena_vector<arena_string> sublibraries;  ///< paths
};

/// A path as a word of such a file: quoted as for a shell.
std::string pc_word(std::string_view path);

/// What of a path neither such a file nor the linker's -rpath can name; empty where all can be.
std::string unfit_character(std::string_view path);

std::string pc_text(const pc_contents& contents);

}  // namespace cudnn_checked::cli
