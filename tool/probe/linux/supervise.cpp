// SPDX-License-Identifier: BSD-3-Clause
//
// .preinit_array of a program runs after the loader has mapped its libraries and before any of them
// is initialised: here the process is still alone, and no code of cuDNN has run.
#include "../supervise.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../../spawn/kept_output.h"
#include "../../spawn/linux/descendants.h"

namespace cudnn_checked::probe {

static int own_output = -1;  ///< where speak() leads standard output

bool is_supervised(int, char**, int&) { return false; }

void speak() {
  if (own_output < 0) return;
  std::fflush(stdout);
  ::dup2(own_output, STDOUT_FILENO);
  own_output = -1;
}

namespace {

/// One of the outputs of the process that computes.
struct stream {
  int from = -1;
  int to = -1;
  spawn::kept_output kept;
};

class supervisor {
 public:
  supervisor(double seconds, const char* report) : report_(report) {
    ::clock_gettime(CLOCK_MONOTONIC, &end_);
    const auto whole = static_cast<time_t>(seconds);
    end_.tv_sec += whole;
    end_.tv_nsec += static_cast<long>((seconds - static_cast<double>(whole)) * 1e9);
  }

  /// Returns in the process that computes, or where there can be none.
  void start();

 private:
  void become_program(pid_t parent, int words, int outputs) const;
  [[noreturn]] void watch();
  void read_outputs(int milliseconds);
  bool is_late() const;
  void leave_note(bool timed_out) const;
  [[noreturn]] void end_as_program() const;

  const char* report_;
  timespec end_ = {};
  stream streams_[2];
  pid_t program_ = -1;
  int status_ = 0;
};

}  // namespace

void supervisor::become_program(pid_t parent, int words, int outputs) const {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  ::setpgid(0, 0);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(outputs, STDOUT_FILENO);
  ::dup2(outputs, STDERR_FILENO);
  own_output = words;
}

void supervisor::start() {
  int words[2];
  int outputs[2];
  if (::pipe2(words, O_CLOEXEC) != 0 || ::pipe2(outputs, O_CLOEXEC) != 0) return;
  const pid_t parent = ::getpid();
  spawn::adopt_orphans();
  program_ = ::fork();
  if (program_ < 0) return;
  if (program_ == 0) {
    become_program(parent, words[1], outputs[1]);
    return;
  }
  ::close(words[1]);
  ::close(outputs[1]);
  streams_[0].from = words[0];
  streams_[0].to = STDOUT_FILENO;
  streams_[1].from = outputs[0];
  streams_[1].to = STDERR_FILENO;
  watch();
}

bool supervisor::is_late() const {
  timespec now = {};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec > end_.tv_sec || (now.tv_sec == end_.tv_sec && now.tv_nsec >= end_.tv_nsec);
}

/// Waits that long for something to read.
void supervisor::read_outputs(int milliseconds) {
  pollfd files[] = {
      {streams_[0].from, POLLIN, 0}, {streams_[1].from, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};
  if (::poll(files, 3, milliseconds) <= 0) return;
  for (int i = 0; i < 2; ++i) {
    if (files[i].revents == 0) continue;
    char part[16384];
    const ssize_t got = ::read(streams_[i].from, part, sizeof part);
    if (got > 0) streams_[i].kept.add(part, static_cast<std::size_t>(got));
    if (got > 0 || (got < 0 && errno == EINTR)) continue;
    ::close(streams_[i].from);
    streams_[i].from = -1;
  }
  // CMake has ended: nobody reads what is found out.
  if ((files[2].revents & POLLERR) == 0) return;
  spawn::end_descendants(program_);
  ::_exit(1);
}

void supervisor::leave_note(bool timed_out) const {
  const unsigned long long dropped = streams_[0].kept.dropped() + streams_[1].kept.dropped();
  if (report_ == nullptr || (!timed_out && dropped == 0)) return;
  char path[4096];
  const int length = std::snprintf(path, sizeof path, "%s.end", report_);
  if (length < 0 || static_cast<std::size_t>(length) >= sizeof path) return;
  FILE* const file = std::fopen(path, "we");
  if (file == nullptr) return;
  if (timed_out) std::fputs("timeout\n", file);
  if (dropped > 0) std::fprintf(file, "dropped=%llu\n", dropped);
  std::fclose(file);
}

void supervisor::end_as_program() const {
  for (const stream& one : streams_) {
    one.kept.give([&one](const char* text, std::size_t size) {
      while (size > 0) {
        const ssize_t wrote = ::write(one.to, text, size);
        if (wrote < 0 && errno != EINTR) return;
        if (wrote < 0) continue;
        text += wrote;
        size -= static_cast<std::size_t>(wrote);
      }
    });
  }
  if (WIFSIGNALED(status_)) {
    ::signal(WTERMSIG(status_), SIG_DFL);
    ::raise(WTERMSIG(status_));
  }
  ::_exit(WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_));
}

void supervisor::watch() {
  // Signals of the terminal end CMake, which is then seen.
  ::setsid();
  spawn::leave_no_core();
  ::signal(SIGPIPE, SIG_IGN);
  bool timed_out = false;
  while (!timed_out) {
    const pid_t ended = ::waitpid(program_, &status_, WNOHANG);
    if (ended == program_ || (ended < 0 && errno != EINTR)) break;
    timed_out = is_late();
    const bool has_output = streams_[0].from >= 0 || streams_[1].from >= 0;
    read_outputs(has_output ? 10 : 1);
  }
  spawn::end_descendants(program_);
  // What is in the pipes; nobody writes any more.
  for (int i = 0; i < 64; ++i) read_outputs(0);
  leave_note(timed_out);
  if (timed_out) status_ = SIGKILL;
  end_as_program();
}

/// The value of key=VALUE among the arguments.
static const char* value_of(const char* key, int count, char** arguments) {
  const std::size_t length = std::strlen(key);
  for (int i = 1; i < count; ++i) {
    if (std::strncmp(arguments[i], key, length) == 0) return arguments[i] + length;
  }
  return nullptr;
}

static void supervise(int count, char** arguments, char**) {
  const char* const seconds = value_of("supervise=", count, arguments);
  if (seconds == nullptr) return;
  static supervisor own(std::strtod(seconds, nullptr), value_of("report=", count, arguments));
  own.start();
}

// A sanitizer is not initialised yet.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define CUDNN_CHECKED_UNSUPERVISED
#endif
#endif
#if !defined(CUDNN_CHECKED_UNSUPERVISED) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
__attribute__((section(".preinit_array"), used)) static void (*supervise_first)(int, char**,
                                                                                char**) = supervise;
#endif

}  // namespace cudnn_checked::probe
