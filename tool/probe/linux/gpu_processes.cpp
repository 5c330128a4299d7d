// SPDX-License-Identifier: BSD-3-Clause
#include "../gpu_processes.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace cudnn_checked::probe {

namespace {

/// The exit status of a process that could not start cuDNN and has computed nothing.
constexpr int not_started = 75;  // EX_TEMPFAIL

/// How the process of a part has ended.
struct end_of_part {
  int part = 0;
  int status = 0;  ///< as waitpid(2) has it
};

template <class whole>
bool write_whole(int file, const whole& from) {
  ssize_t written = 0;
  do {
    written = ::write(file, &from, sizeof from);
  } while (written < 0 && errno == EINTR);
  return written == static_cast<ssize_t>(sizeof from);
}

/// False at the end.
template <class whole>
bool read_whole(int file, whole& to) {
  std::size_t at = 0;
  while (at < sizeof to) {
    const ssize_t got = ::read(file, reinterpret_cast<char*>(&to) + at, sizeof to - at);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) at += static_cast<std::size_t>(got);
  }
  return true;
}

/// Ends this process when its parent process ends.
void end_with_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
}

[[noreturn]] void compute(const share& part, const work& asked, const teller& tell) {
  problem_store problems;
  const bool alone = part.of == 1;
  if (!run_on_gpu(part, asked, problems, tell, alone) && !alone) {
    tell.forget();
    ::_exit(not_started);
  }
  // Neither exit handlers nor destructors: they belong to the process that this one is a copy of.
  ::_exit(0);
}

[[noreturn]] void start_on_order(int orders, int ends, const work& asked, const teller& tell) {
  std::vector<pid_t> all;
  const pid_t here = ::getpid();
  for (share part; read_whole(orders, part) && part.of > 0;) {
    const pid_t process = ::fork();
    if (process == 0) {
      end_with_parent(here);
      ::close(orders);
      compute(part, asked, teller(tell.file(), static_cast<int>(all.size()) + 1));
    }
    all.push_back(process);
  }
  int status = 0;
  for (pid_t ended = 0; (ended = ::waitpid(-1, &status, 0)) > 0 || errno == EINTR;) {
    for (const pid_t& one : all) {
      if (one == ended) {
        (void)write_whole(ends, end_of_part{static_cast<int>(&one - all.data()) + 1, status});
      }
    }
  }
  ::_exit(0);
}

/// Ends this process as the process of a share ended, so that its parent process sees the reason.
[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
  }
  ::_exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1);
}

}  // namespace

gpu_processes::gpu_processes(const work& asked, const teller& tell) : tell_(tell) {
  int orders[2];
  int ends[2];
  if (::pipe2(orders, O_CLOEXEC) != 0) return;
  if (::pipe2(ends, O_CLOEXEC) == 0) {
    const pid_t here = ::getpid();
    parent_ = ::fork();
    if (parent_ == 0) {
      end_with_parent(here);
      ::close(orders[1]);
      ::close(ends[0]);
      start_on_order(orders[0], ends[1], asked, tell);
    }
    ::close(ends[1]);
    ends_ = ends[0];
  }
  ::close(orders[0]);
  orders_ = orders[1];
}

// Writes an end mark, because closing the pipe is not enough: a process that a library has left
// behind may hold it open.  If nobody reads the pipe any more, SIGPIPE must not end this process.
static void end_orders(int& orders) {
  if (orders < 0) return;
  struct sigaction ignored = {};
  struct sigaction before = {};
  ignored.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignored, &before);
  share none;
  none.of = 0;
  (void)write_whole(orders, none);
  ::sigaction(SIGPIPE, &before, nullptr);
  ::close(orders);
  orders = -1;
}

gpu_processes::~gpu_processes() {
  end_orders(orders_);
  if (ends_ >= 0) ::close(ends_);
  if (parent_ > 0) (void)::waitpid(parent_, nullptr, 0);
}

int gpu_processes::most_shares() {
  cpu_set_t processors;
  const bool known = ::sched_getaffinity(0, sizeof processors, &processors) == 0;
  return known ? std::clamp(CPU_COUNT(&processors), 1, 8) : 1;
}

bool gpu_processes::start(const share& asked) {
  if (parent_ <= 0) return false;
  teller(tell_.file(), next_part()).step("the start on GPU " + std::to_string(asked.device));
  if (!write_whole(orders_, asked)) return false;
  shares_.push_back(asked);
  return true;
}

std::vector<share> gpu_processes::finish() {
  end_orders(orders_);
  std::vector<share> left;
  std::size_t running = shares_.size();
  for (end_of_part came; running > 0 && read_whole(ends_, came); --running) {
    if (WIFEXITED(came.status) && WEXITSTATUS(came.status) == not_started) {
      left.push_back(shares_[static_cast<std::size_t>(came.part) - 1]);
    } else if (came.status != 0) {
      teller(tell_.file(), came.part).died();
      end_as(came.status);
    }
    teller(tell_.file(), came.part).step("");
  }
  if (running > 0) end_as(0);
  return left;
}

}  // namespace cudnn_checked::probe
