// SPDX-License-Identifier: BSD-3-Clause
#include "../spawn.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <type_traits>

namespace cudnn_checked::spawn {

static_assert(std::is_same_v<process_id, pid_t>, "pid_t is int on Linux");

static void add_output(posix_spawn_file_actions_t& actions, int file, int number) {
  if (file < 0) {
    posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&actions, file, number);
  }
}

int start(const child& what, process_id& process) {
  std::vector<char*> words;
  for (const std::string& word : what.command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  add_output(actions, what.output, STDOUT_FILENO);
  add_output(actions, what.errors, STDERR_FILENO);
  int number = STDERR_FILENO;
  for (const int file : what.more) posix_spawn_file_actions_adddup2(&actions, file, ++number);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char safe_path[] = "PYTHONSAFEPATH=1";
  std::vector<char*> variables{safe_path};
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) variables.push_back(*one);
  variables.push_back(nullptr);
  process = -1;
  const int wrong =
      ::posix_spawn(&process, words[0], &actions, &attributes, words.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (wrong != 0) process = -1;
  return wrong;
}

bool make_pipe(int (&ends)[2]) {
  constexpr int above = 10;
  int low[2];
  ends[0] = ends[1] = -1;
  if (::pipe2(low, O_CLOEXEC) != 0) return false;
  for (int i = 0; i < 2; ++i) {
    ends[i] = ::fcntl(low[i], F_DUPFD_CLOEXEC, above);
    ::close(low[i]);
  }
  if (ends[0] >= 0 && ends[1] >= 0) return true;
  for (int& end : ends) close_file(end);
  return false;
}

void close_file(int& file) {
  if (file >= 0) ::close(file);
  file = -1;
}

bool read_part(int file, std::string& text) {
  char part[16384];
  const ssize_t got = ::read(file, part, sizeof part);
  if (got > 0) text.append(part, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

bool can_be_read(int file, int milliseconds) {
  pollfd ready{file, POLLIN, 0};
  return ::poll(&ready, 1, milliseconds) > 0;
}

const char* signal_word() { return "signal"; }

std::string signal_name(int number) {
  switch (number) {
#define SIGNAL(name) \
  case name:         \
    return #name;
#include "../signals.def"
#undef SIGNAL
  }
  return "signal " + std::to_string(number);
}

}  // namespace cudnn_checked::spawn
