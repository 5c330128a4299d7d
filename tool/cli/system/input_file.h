// SPDX-License-Identifier: BSD-3-Clause
//
// A text that somebody names: a file, or standard input.
#pragma once

#include <cstddef>
#include <string>

namespace cudnn_checked::cli {

class input_file {
 public:
  /// "-" is standard input, which may be anything.  Else it is a regular file: nothing else is
  /// waited for.
  explicit input_file(const std::string& name);
  ~input_file();
  input_file(const input_file&) = delete;
  input_file& operator=(const input_file&) = delete;

  /// Why it cannot be read; empty as long as it can.
  const std::string& wrong() const { return wrong_; }

  /// At most `size` bytes; 0 at the end, and where it cannot be read.
  std::size_t read(char* bytes, std::size_t size);

 private:
  int file_ = -1;
  std::string wrong_;
};

}  // namespace cudnn_checked::cli
