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

static string output_of(const string& program, std::vector<std::string> words) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  words.insert(words.begin(), program);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(&word[0]);
  arguments.push_back(nullptr);
  pid_t child = 0;
  const bool started =
      ::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ) == 0;
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

bool is_named_python(const string& file) {
  const string name = base_name(file);
  return starts_with(name, "python") || starts_with(name, "pypy");
}

static constexpr const char* directories_code =
    "import os, sys\n"
    "own = os.path.dirname(os.__file__)\n"
    "for path in sys.path:\n"
    "    if path and path not in (own, os.path.join(own, 'lib-dynload')) and os.path.isdir(path):\n"
    "        print(os.path.abspath(path))\n";

vector<string> directories_of_python(const string& interpreter,
                                     const std::vector<std::string>& options) {
  std::vector<std::string> words = options;
  words.insert(words.end(), {"-c", directories_code});
  vector<string> found;
  for (const string& directory : split_path_list(output_of(interpreter, words), "\n")) {
    if (!directory.empty() && directory[0] == '/') found.push_back(directory);
  }
  return found;
}

/// "PYTHONPATH[0]"; empty where that variable does not name the directory.
static string entry_of_python_path(const system_interface& os, const string& directory) {
  string value;
  if (!os.variable("PYTHONPATH", value)) return {};
  int index = 0;
  for (const string& entry : split_path_list(value, ":")) {
    if (!entry.empty() && os.real_path(entry) == os.real_path(directory)) {
      return "PYTHONPATH[" + to_string(index) + "]";
    }
    ++index;
  }
  return {};
}

python_packages find_python_packages(const system_interface& os) {
  python_packages found;
  found.interpreter = active_python(os);
  if (found.interpreter.empty()) return found;
  for (const string& directory : directories_of_python(found.interpreter, {})) {
    const std::size_t end = directory.rfind("-packages");
    const string entry = entry_of_python_path(os, directory);
    if (!entry.empty()) {
      found.directories.push_back({directory, entry});
    } else if (end != string::npos && end + 9 == directory.size()) {
      found.directories.push_back({directory, "packages of " + found.interpreter});
    }
  }
  return found;
}

}  // namespace cudnn_checked::cli
