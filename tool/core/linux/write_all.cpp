// SPDX-License-Identifier: BSD-3-Clause
#include "../system/write_all.h"
#include "write_signals.h"

#include <cerrno>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The kernel's calls, which change the mask of the calling thread alone: pthread_sigmask is in
// libpthread before glibc 2.32, which a program need not link, and each of glibc's functions for
// sets of signals is a symbol that the loader has to find.
static constexpr signal_set write_signals = 1ULL << (SIGPIPE - 1) | 1ULL << (SIGXFSZ - 1);

without_write_signals::without_write_signals() {
  signal_set pending = 0;
  syscall(SYS_rt_sigpending, &pending, sizeof pending);
  not_pending_ = write_signals & ~pending;
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &write_signals, &before_, sizeof before_);
}

// The signal that a failed write left pending is taken back, so that a program that continues does
// not receive it later.
without_write_signals::~without_write_signals() {
  const int error = errno;
  const timespec no_wait = {0, 0};
  while (syscall(SYS_rt_sigtimedwait, &not_pending_, nullptr, &no_wait, sizeof not_pending_) > 0) {
  }
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_);
  errno = error;
}

without_end_signals::without_end_signals() {
  constexpr signal_set end_signals =
      1ULL << (SIGINT - 1) | 1ULL << (SIGTERM - 1) | 1ULL << (SIGHUP - 1) | 1ULL << (SIGQUIT - 1);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, &end_signals, &before_, sizeof before_);
}

without_end_signals::~without_end_signals() {
  const int error = errno;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before_, nullptr, sizeof before_);
  errno = error;
}

bool write_all(int descriptor, arena_string text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (count < 0 && errno == EAGAIN) {
      pollfd reader = {descriptor, POLLOUT, 0};
      const timespec second = {1, 0};
      if (syscall(SYS_ppoll, &reader, 1, &second, nullptr, 0) == 1) continue;
      errno = EAGAIN;
      return false;
    } else if (count == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

void write_to_stderr(arena_string text) {
  if (text.empty()) return;
  const without_write_signals no_signal;
  write_all(STDERR_FILENO, text);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
