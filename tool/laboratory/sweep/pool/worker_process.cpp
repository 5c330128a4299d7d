// SPDX-License-Identifier: BSD-3-Clause
#include "worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "../../../spawn/spawn.h"

namespace cudnn_checked::sweep {

static constexpr std::size_t longest_line = 1U << 16;
static constexpr std::size_t longest_words = 300;

std::string end_text(int wait_status) {
  if (WIFSIGNALED(wait_status)) return "ended by " + spawn::signal_name(WTERMSIG(wait_status));
  if (WEXITSTATUS(wait_status) == no_memory_status) return "ended for want of main memory";
  return "ended with status " + std::to_string(WEXITSTATUS(wait_status));
}

bool worker_process::start(const std::vector<std::string>& command, std::string& error) {
  int commands[2] = {-1, -1};
  int answers[2] = {-1, -1};
  int words[2] = {-1, -1};
  int wrong = EMFILE;
  if (spawn::make_pipe(commands) && spawn::make_pipe(answers) && spawn::make_pipe(words)) {
    spawn::child worker = {command, words[1], words[1], {commands[0], answers[1]}};
    worker.command.push_back(std::to_string(::getpid()));
    wrong = spawn::start(worker, process_);
  }
  spawn::close_file(commands[0]);
  spawn::close_file(answers[1]);
  spawn::close_file(words[1]);
  commands_ = commands[1];
  answers_ = answers[0];
  words_ = words[0];
  for (const int file : {commands_, answers_, words_}) ::fcntl(file, F_SETFL, O_NONBLOCK);
  if (wrong == 0) return true;
  close_all();
  error = "the program cannot be started again: " + command.front() + ": " + std::strerror(wrong);
  return false;
}

void worker_process::close_all() {
  spawn::close_file(commands_);
  spawn::close_file(answers_);
  spawn::close_file(words_);
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
  spawn::close_file(commands_);
  unsent_.clear();
}

void worker_process::read_answers() {
  if (answers_ >= 0 && !spawn::read_part(answers_, lines_)) spawn::close_file(answers_);
}

void worker_process::read_words() {
  std::string part;
  if (words_ >= 0 && !spawn::read_part(words_, part)) spawn::close_file(words_);
  printed_.add(part.data(), part.size());
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
  std::string printed;
  printed_.give([&printed](const char* text, std::size_t size) { printed.append(text, size); });
  std::size_t end = printed.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return {};
  const std::size_t feed = printed.find_last_of("\r\n", end);
  std::string line = printed.substr(feed == std::string::npos ? 0 : feed + 1,
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
