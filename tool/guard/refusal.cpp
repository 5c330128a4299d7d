// SPDX-License-Identifier: BSD-3-Clause
#include "refusal.h"

#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool write_all(int descriptor, const string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(descriptor, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

void write_to_stderr(const string& text) {
  if (text.empty()) return;
  // A reader that is gone must not turn exit status 78 into death by SIGPIPE.  The signal that a
  // failed write leaves pending is taken back, so that a program that goes on does not meet it
  // later.  sigprocmask, because pthread_sigmask is in libpthread before glibc 2.32, which a
  // program need not link.  At start-up there is one thread; for require(), which may be called
  // when there are more, glibc's changes the mask of the calling thread alone, as pthread_sigmask
  // does.
  sigset_t pipe_signal;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  sigprocmask(SIG_BLOCK, &pipe_signal, &before);
  if (!write_all(STDERR_FILENO, text) && errno == EPIPE && !was_pending) {
    const timespec no_wait = {0, 0};
    sigtimedwait(&pipe_signal, nullptr, &no_wait);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

bool write_file(const string& path, const string& text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;
  const bool written = write_all(descriptor, text);
  return close(descriptor) == 0 && written;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
