// SPDX-License-Identifier: BSD-3-Clause
#include "line_pipe.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace cudnn_checked::sweep {

bool line_source::next(std::string& line) {
  for (;;) {
    const std::size_t end = text_.find('\n', seen_);
    if (end != std::string::npos) {
      line = text_.substr(0, end);
      text_.erase(0, end + 1);
      seen_ = 0;
      return true;
    }
    seen_ = text_.size();
    char part[4096];
    const ssize_t got = ::read(file_, part, sizeof part);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    text_.append(part, static_cast<std::size_t>(got));
  }
}

bool write_line(int file, const std::string& line) {
  const std::string whole = line + '\n';
  std::size_t written = 0;
  while (written < whole.size()) {
    const ssize_t count = ::write(file, whole.data() + written, whole.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    written += static_cast<std::size_t>(count);
  }
  return true;
}

bool has_ended(int file) {
  pollfd one{file, 0, 0};
  return ::poll(&one, 1, 0) > 0;
}

}  // namespace cudnn_checked::sweep
