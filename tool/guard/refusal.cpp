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
without_write_signals::without_write_signals() {
  sigset_t both;
  sigset_t pending;
  sigemptyset(&both);
  sigemptyset(&not_pending_);
  sigpending(&pending);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    sigaddset(&both, signal);
    if (sigismember(&pending, signal) != 1) sigaddset(&not_pending_, signal);
  }
  sigprocmask(SIG_BLOCK, &both, &before_);
}

// The signal that a failed write left pending is taken back, so that a program that continues does
// not receive it later.
without_write_signals::~without_write_signals() {
  const int error = errno;
  const timespec no_wait = {0, 0};
  while (sigtimedwait(&not_pending_, nullptr, &no_wait) > 0) {
  }
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
  const without_write_signals no_signal;
  write_all(STDERR_FILENO, text);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
