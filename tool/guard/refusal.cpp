// SPDX-License-Identifier: BSD-3-Clause
#include "refusal.h"

#include <cerrno>

#include <poll.h>
#include <unistd.h>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// sigprocmask, because pthread_sigmask is in libpthread before glibc 2.32, which a program need not
// link.  At start-up there is one thread; for require(), which may be called when there are more,
// glibc's changes the mask of the calling thread alone, as pthread_sigmask does.
without_sigpipe::without_sigpipe() {
  sigset_t pipe_signal;
  sigset_t pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  sigprocmask(SIG_BLOCK, &pipe_signal, &before_);
}

// The signal that a failed write left pending is taken back, so that a program that continues does
// not receive it later.
without_sigpipe::~without_sigpipe() {
  const int error = errno;
  sigset_t pipe_signal;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  const timespec no_wait = {0, 0};
  if (!was_pending_) sigtimedwait(&pipe_signal, nullptr, &no_wait);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

bool write_all(int descriptor, const string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (count < 0 && errno == EAGAIN) {
      pollfd reader = {descriptor, POLLOUT, 0};
      if (poll(&reader, 1, 1000) == 1) continue;
      errno = EAGAIN;
      return false;
    } else if (count == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

void write_to_stderr(const string& text) {
  if (text.empty()) return;
  const without_sigpipe no_signal;
  write_all(STDERR_FILENO, text);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
