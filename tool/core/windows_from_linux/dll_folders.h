// SPDX-License-Identifier: BSD-3-Clause
//
// Folders of DLLs as Windows would see them, on Linux.
#pragma once

#include <utility>

#include "../model/arena_string.h"
#include "../namespace.h"
#include "../system/system_view.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// No directory is searched but those that are named, and the case of a file's name does not count.
class dll_folders final : public system_view {
 public:
  /// `directories` as in PATH.  The `program` searches; empty: one that lies beside the library.
  dll_folders(const system_interface& real, arena_string directories, arena_string program)
      : system_view(real), directories_(std::move(directories)), program_(std::move(program)) {}

  bool variable(const char* name, arena_string& value) const override;
  open_result open(arena_string path, byte_source** source) const override;
  arena_string real_path(arena_string path) const override;
  arena_vector<arena_string> default_directories() const override { return {}; }
  arena_string working_directory() const override { return {}; }
  arena_string program_path() const override { return program_; }

 private:
  arena_string spelled(const arena_string& path) const;

  arena_string directories_;
  arena_string program_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
