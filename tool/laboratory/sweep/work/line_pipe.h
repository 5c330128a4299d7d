// SPDX-License-Identifier: BSD-3-Clause
//
// Lines on pipes, for a worker: it waits until there is one.
#pragma once

#include <poll.h>

#include <cstdio>
#include <string>

namespace cudnn_checked::sweep {

class line_source {
 public:
  explicit line_source(int file) : stream_(::fdopen(file, "r")) {}

  /// The next line without its end.  False if the other side has closed the pipe; half a line
  /// that it has left is no line.
  bool next(std::string& line) {
    line.clear();
    for (int c = 0; (c = std::getc(stream_)) != EOF; line += static_cast<char>(c)) {
      if (c == '\n') return true;
    }
    return false;
  }

 private:
  std::FILE* stream_;  ///< never closed: the process ends with it
};

/// False if nobody reads any more.  SIGPIPE must be ignored.
inline bool write_line(int file, const std::string& line) {
  return ::dprintf(file, "%s\n", line.c_str()) > 0;
}

/// True if the other side has closed the pipe from which `file` reads.  Never waits.
inline bool has_ended(int file) {
  pollfd one{file, 0, 0};
  return ::poll(&one, 1, 0) > 0;
}

}  // namespace cudnn_checked::sweep
