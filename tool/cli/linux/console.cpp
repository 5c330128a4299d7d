// SPDX-License-Identifier: BSD-3-Clause
#include "../system/console.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace cudnn_checked::cli {

bool is_terminal(int descriptor) { return ::isatty(descriptor) == 1; }

std::size_t terminal_columns() {
  winsize size = {};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool is_in_foreground() {
  const pid_t in_front = ::tcgetpgrp(STDERR_FILENO);
  return in_front < 0 || in_front == ::getpgrp();
}

void write_to_terminal(std::string_view text) {
  const ssize_t ignored = ::write(STDERR_FILENO, text.data(), text.size());
  (void)ignored;
}

static bool is_closed(int descriptor) { return ::fcntl(descriptor, F_GETFD) < 0; }

bool open_closed_streams() {
  const bool output_is_closed = is_closed(STDOUT_FILENO);
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    // open(2) takes the lowest number that is free.
    if (is_closed(descriptor)) (void)::open("/dev/null", O_RDWR | O_CLOEXEC);
  }
  return output_is_closed;
}

}  // namespace cudnn_checked::cli
