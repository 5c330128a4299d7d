// SPDX-License-Identifier: BSD-3-Clause
#include "child_output.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "../../spawn/spawn.h"

namespace cudnn_checked::cli {

static constexpr std::size_t longest_output = 1U << 20;

using clock = std::chrono::steady_clock;

/// True where the other end was closed before the time was up.
static bool read_all(int file, clock::time_point end, std::string& text) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now());
    pollfd ready{file, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
    if (!spawn::read_part(file, text)) return true;
    if (text.size() > longest_output) return false;
  }
}

/// A program can close its output and go on.
static bool has_ended(pid_t child, clock::time_point end, int& status) {
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (clock::now() >= end) return false;
    ::usleep(1000);
  }
  return true;
}

child_output output_of_program(const std::vector<std::string>& command, int seconds) {
  child_output result;
  int ends[2];
  if (!spawn::make_pipe(ends)) return result;
  pid_t child = -1;
  result.started = spawn::start({command, ends[1], -1, {}}, child) == 0;
  spawn::close_file(ends[1]);
  if (result.started) {
    const clock::time_point end = clock::now() + std::chrono::seconds(seconds);
    int status = 0;
    result.ended = read_all(ends[0], end, result.text) && has_ended(child, end, status);
    if (!result.ended) {
      ::kill(-child, SIGKILL);
      ::waitpid(child, &status, 0);
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }
  spawn::close_file(ends[0]);
  return result;
}

}  // namespace cudnn_checked::cli
