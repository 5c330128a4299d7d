// SPDX-License-Identifier: BSD-3-Clause
#include "stop_signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace cudnn_checked::sweep {

/// The handler can reach nothing else.
static int stop_pipe[2] = {-1, -1};

static void handle_stop(int number) {
  const int before = errno;
  const char byte = static_cast<char>(number);
  (void)!::write(stop_pipe[1], &byte, 1);
  errno = before;
}

stop_signals::stop_signals() {
  if (::pipe2(stop_pipe, O_CLOEXEC | O_NONBLOCK) != 0) stop_pipe[0] = stop_pipe[1] = -1;
  struct sigaction action = {};
  sigemptyset(&action.sa_mask);
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, &pipe_before_);
  action.sa_handler = handle_stop;
  for (int i = 0; i < 3; ++i) {
    ::sigaction(handled[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(handled[i], &action, nullptr);
  }
}

void stop_signals::restore() {
  for (int i = 0; i < 3; ++i) ::sigaction(handled[i], &before_[i], nullptr);
  ::sigaction(SIGPIPE, &pipe_before_, nullptr);
}

stop_signals::~stop_signals() {
  restore();
  for (int& end : stop_pipe) {
    if (end >= 0) ::close(end);
    end = -1;
  }
}

int stop_signals::file() const { return stop_pipe[0]; }

int stop_signals::count() {
  char numbers[16];
  const ssize_t got = stop_pipe[0] < 0 ? 0 : ::read(stop_pipe[0], numbers, sizeof numbers);
  if (got > 0) {
    count_ += static_cast<int>(got);
    last_ = numbers[got - 1];
  }
  return count_;
}

void stop_signals::end_this_process() {
  restore();
  ::raise(last_);
}

}  // namespace cudnn_checked::sweep
