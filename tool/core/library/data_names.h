// SPDX-License-Identifier: BSD-3-Clause
//
// Names in the read-only data of a library or program, by which it can open cuDNN itself.
#pragma once

#include <cstdint>

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Each is a whole text, with a zero byte behind it.  A compiler can make a short name of a library
/// part of its code, where it is not seen; the names of functions are in the data.
struct data_names {
  arena_string library;   ///< the first of cuDNN's: "libcudnn.so.9"; empty: none
  arena_string function;  ///< the first that is looked up in cuDNN: "cudnnCreate"; empty: none
  arena_vector<arena_string> runtimes;  ///< of CUDA: "libcudart.so.12", "libcudart.so.13"
  bool one_runtime = false;  ///< it has the text with which it refuses a second one of these

  bool open_cudnn() const { return !library.empty() || !function.empty(); }
};

/// Reads the sections of constants, the first 256 MiB of each.  Without them where the file cannot
/// be read.  Takes a megabyte of the arena.
data_names read_data_names(const system_interface& os, arena_string path);

/// Adds what lies in these bytes of a file.
void add_data_names(const byte_source& source, std::uint64_t offset, std::uint64_t size,
                    data_names& names);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
