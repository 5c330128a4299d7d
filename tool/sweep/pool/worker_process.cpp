// SPDX-License-Identifier: BSD-3-Clause
#include "worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cudnn_checked::sweep {

static constexpr std::size_t longest_line = 1U << 16;
static constexpr std::size_t kept_words = 4096;
static constexpr std::size_t longest_words = 300;

std::string signal_name(int number) {
  static constexpr struct {
    int number;
    const char* name;
  } names[] = {{SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
               {SIGHUP, "SIGHUP"},   {SIGILL, "SIGILL"},   {SIGINT, "SIGINT"},
               {SIGKILL, "SIGKILL"}, {SIGPIPE, "SIGPIPE"}, {SIGQUIT, "SIGQUIT"},
               {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},   {SIGTERM, "SIGTERM"},
               {SIGTRAP, "SIGTRAP"}, {SIGXCPU, "SIGXCPU"}};
  for (const auto& one : names) {
    if (one.number == number) return one.name;
  }
  return "signal " + std::to_string(number);
}

std::string end_text(int wait_status) {
  if (WIFSIGNALED(wait_status)) return "ended by " + signal_name(WTERMSIG(wait_status));
  if (WEXITSTATUS(wait_status) == no_memory_status) return "ended for want of main memory";
  return "ended with status " + std::to_string(WEXITSTATUS(wait_status));
}

/// A pipe whose ends do not lie where the worker's are put.
static bool make_worker_pipe(int (&ends)[2]) {
  constexpr int above = 10;
  int low[2];
  ends[0] = ends[1] = -1;
  if (::pipe2(low, O_CLOEXEC) != 0) return false;
  for (int i = 0; i < 2; ++i) {
    ends[i] = ::fcntl(low[i], F_DUPFD_CLOEXEC, above);
    ::close(low[i]);
  }
  return ends[0] >= 0 && ends[1] >= 0;
}

static void close_file(int& file) {
  if (file >= 0) ::close(file);
  file = -1;
}

static int spawn_worker(const std::vector<std::string>& command, int commands, int answers,
                        int words, pid_t& process) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  const std::string parent = std::to_string(::getpid());
  arguments.push_back(const_cast<char*>(parent.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, words, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, commands, commands_number);
  posix_spawn_file_actions_adddup2(&actions, answers, answers_number);
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
  const int wrong =
      ::posix_spawn(&process, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return wrong;
}

bool worker_process::start(const std::vector<std::string>& command, std::string& error) {
  int commands[2] = {-1, -1};
  int answers[2] = {-1, -1};
  int words[2] = {-1, -1};
  int wrong = EMFILE;
  if (make_worker_pipe(commands) && make_worker_pipe(answers) && make_worker_pipe(words)) {
    wrong = spawn_worker(command, commands[0], answers[1], words[1], process_);
  }
  close_file(commands[0]);
  close_file(answers[1]);
  close_file(words[1]);
  commands_ = commands[1];
  answers_ = answers[0];
  words_ = words[0];
  for (const int file : {commands_, answers_, words_}) ::fcntl(file, F_SETFL, O_NONBLOCK);
  if (wrong == 0) return true;
  process_ = -1;
  close_all();
  error = "the program cannot be started again: " + command.front() + ": " + std::strerror(wrong);
  return false;
}

void worker_process::close_all() {
  close_file(commands_);
  close_file(answers_);
  close_file(words_);
}

worker_process::~worker_process() {
  kill_all();
  for (int i = 0; i < 100 && !has_exited(); ++i) ::usleep(1000);
  close_all();
}

void worker_process::send(const std::string& line) {
  unsent_ += line + '\n';
  send_more();
}

void worker_process::send_more() {
  while (has_more_to_send()) {
    const ssize_t count = ::write(commands_, unsent_.data(), unsent_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) return close_commands();
    unsent_.erase(0, static_cast<std::size_t>(count));
  }
}

void worker_process::close_commands() {
  close_file(commands_);
  unsent_.clear();
}

/// False where the pipe has ended.
static bool read_part(int file, std::string& text) {
  char part[16384];
  const ssize_t got = ::read(file, part, sizeof part);
  if (got > 0) text.append(part, static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

void worker_process::read_answers() {
  if (answers_ >= 0 && !read_part(answers_, lines_)) close_file(answers_);
}

void worker_process::read_words() {
  if (words_ >= 0 && !read_part(words_, printed_)) close_file(words_);
  if (printed_.size() > kept_words) printed_.erase(0, printed_.size() - kept_words);
}

bool worker_process::next_line(std::string& line) {
  const std::size_t end = lines_.find('\n', taken_);
  if (end == std::string::npos) {
    lines_.erase(0, taken_);
    taken_ = 0;
    return false;
  }
  line = lines_.substr(taken_, end - taken_);
  taken_ = end + 1;
  return true;
}

bool worker_process::is_flooded() const { return lines_.size() - taken_ > longest_line; }

std::string worker_process::last_words() const {
  std::size_t end = printed_.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const std::size_t feed = printed_.find_last_of("\r\n", end);
  std::string line = printed_.substr(feed == std::string::npos ? 0 : feed + 1,
                                     end - (feed == std::string::npos ? 0 : feed + 1) + 1);
  if (line.size() > longest_words) line.resize(longest_words);
  for (char& c : line) {
    if (c < 0x20 || c >= 0x7f) c = '?';
  }
  return line;
}

/// What it has left in its pipes.  Something that it has started may hold them open.
void worker_process::read_rest() {
  for (int i = 0; i < 64; ++i) {
    pollfd left[] = {{answers_, POLLIN, 0}, {words_, POLLIN, 0}};
    if (::poll(left, 2, 0) <= 0) return;
    read_answers();
    read_words();
  }
}

void worker_process::kill_all() {
  if (process_ > 0 && !exited_) ::kill(-process_, SIGKILL);
}

bool worker_process::has_exited() {
  if (process_ <= 0 || exited_) return true;
  siginfo_t ended;
  ended.si_pid = 0;
  // What it has started is ended while its number still stands for its group.
  if (::waitid(P_PID, static_cast<id_t>(process_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
      ended.si_pid == 0) {
    return false;
  }
  ::kill(-process_, SIGKILL);
  const pid_t waited = ::waitpid(process_, &status_, 0);
  exited_ = waited == process_ || (waited < 0 && errno == ECHILD);
  if (exited_) read_rest();
  return exited_;
}

}  // namespace cudnn_checked::sweep
