// SPDX-License-Identifier: BSD-3-Clause
//
// Lines on pipes, for a worker: it waits until there is one.
#pragma once

#include <cstddef>
#include <string>

namespace cudnn_checked::sweep {

class line_source {
 public:
  explicit line_source(int file) : file_(file) {}

  /// The next line without its end.  False if the other side has closed the pipe; half a line
  /// that it has left is no line.
  bool next(std::string& line);

 private:
  int file_;
  std::string text_;      ///< what was read and not taken
  std::size_t seen_ = 0;  ///< of it, without a line feed
};

/// False if nobody reads any more.  SIGPIPE must be ignored.
bool write_line(int file, const std::string& line);

/// True if the other side has closed the pipe from which `file` reads.  Never waits.
bool has_ended(int file);

}  // namespace cudnn_checked::sweep
