// SPDX-License-Identifier: BSD-3-Clause
#include "python.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "../../core/model/paths.h"

namespace cudnn_checked::cli {

string active_python(const system_interface& os) {
  string value;
  if (os.variable("VIRTUAL_ENV", value) && !value.empty()) {
    const string python = value + "/bin/python";
    if (::access(python.c_str(), X_OK) == 0) return python;
  }
  if (!os.variable("PATH", value)) return {};
  for (const string& directory : split_path_list(value, ":")) {
    const string python = join_path(directory.empty() ? "." : directory, "python3");
    if (::access(python.c_str(), X_OK) == 0) return python;
  }
  return {};
}

static string read_until_end(int file) {
  using clock = std::chrono::steady_clock;
  const clock::time_point end = clock::now() + std::chrono::seconds(10);
  string text;
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now());
    pollfd ready{file, POLLIN, 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) return text;
    char part[4096];
    const ssize_t got = ::read(file, part, sizeof(part));
    if (got <= 0 || text.size() > (1U << 20)) return text;
    text.append(part, static_cast<std::size_t>(got));
  }
}

static string output_of(const string& program, const char* code) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::string name = program;
  std::string option = "-c";
  std::string text = code;
  char* arguments[] = {&name[0], &option[0], &text[0], nullptr};
  pid_t child = 0;
  const bool started =
      ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  string output;
  if (started) {
    output = read_until_end(ends[0]);
    ::kill(child, SIGKILL);  // it has closed its output or used up its time
    ::waitpid(child, nullptr, 0);
  }
  ::close(ends[0]);
  return output;
}

python_packages find_python_packages(const system_interface& os) {
  python_packages found;
  found.interpreter = active_python(os);
  if (found.interpreter.empty()) return found;
  const string output =
      output_of(found.interpreter, "import sys; print('\\n'.join(p for p in sys.path if p))");
  for (const string& directory : split_path_list(output, "\n")) {
    const std::size_t end = directory.rfind("-packages");
    if (end != string::npos && end + 9 == directory.size()) {
      found.directories.push_back(directory);
    }
  }
  return found;
}

}  // namespace cudnn_checked::cli
