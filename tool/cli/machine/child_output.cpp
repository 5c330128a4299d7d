// SPDX-License-Identifier: BSD-3-Clause
#include "child_output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "../../core/model/paths.h"

namespace cudnn_checked::cli {

static constexpr std::size_t longest_output = 1U << 20;

std::string program_on_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  if (path == nullptr) return {};
  for (const string& directory : split_path_list(path, ":")) {
    const string file = join_path(directory.empty() ? "." : directory, name);
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

static bool start(const std::vector<std::string>& command, int output, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // A group of its own, so that what it starts can be ended with it.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const bool started =
      ::posix_spawn(&child, arguments[0], &actions, &attributes, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return started;
}

/// True where the other end was closed before the time was up.
static bool read_all(int file, int seconds, std::string& text) {
  using clock = std::chrono::steady_clock;
  const clock::time_point end = clock::now() + std::chrono::seconds(seconds);
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now());
    pollfd ready{file, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return false;
    char part[4096];
    const ssize_t got = ::read(file, part, sizeof(part));
    if (got <= 0) return true;
    text.append(part, static_cast<std::size_t>(got));
    if (text.size() > longest_output) return false;
  }
}

child_output output_of_program(const std::vector<std::string>& command, int seconds) {
  child_output result;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return result;
  pid_t child = 0;
  result.started = start(command, ends[1], child);
  ::close(ends[1]);
  if (result.started) {
    result.ended = read_all(ends[0], seconds, result.text);
    if (!result.ended) ::kill(-child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    result.signal = WIFSIGNALED(status) && result.ended ? WTERMSIG(status) : 0;
  }
  ::close(ends[0]);
  return result;
}

}  // namespace cudnn_checked::cli
