// SPDX-License-Identifier: BSD-3-Clause
//
// A file that is written whole or not at all: an errata file.
#pragma once

#include <string>

namespace cudnn_checked::sweep {

/// True if replace_file() can write there, and nothing but a file has the name.  Nothing is left
/// behind.  `error` begins with the path.  A file that may not be written is not replaced.
bool can_replace_file(const std::string& path, std::string& error);

/// As core's, on the disk before it gets its name.  `error` begins with the path.
bool replace_file(const std::string& path, const std::string& text, std::string& error);

/// Several sweeps may write one file, one for each GPU of a machine: while one reads it, adds to it
/// and replaces it, the others wait.  Not longer than 5 s, and not where the file system has no
/// locks.
class file_lock {
 public:
  explicit file_lock(const std::string& path);
  file_lock(const file_lock&) = delete;
  file_lock& operator=(const file_lock&) = delete;
  ~file_lock();

 private:
  int directory_ = -1;  // the file itself is replaced
};

}  // namespace cudnn_checked::sweep
