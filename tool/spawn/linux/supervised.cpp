// SPDX-License-Identifier: BSD-3-Clause
#include "../supervised.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../spawn.h"
#include "descendants.h"

namespace cudnn_checked::spawn {

using clock = std::chrono::steady_clock;

static constexpr int grace_milliseconds = 3000;   ///< to run its own last words
static constexpr const char* end_word = "\1end";  ///< of the supervisor, among the report's lines

static clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
}

namespace {

/// What runs between this process and the program.  It is a process of its own, because orphans of
/// the program become its children (prctl(2), PR_SET_CHILD_SUBREAPER), and because it outlives this
/// one.
class supervisor {
 public:
  supervisor(int report, int hold) : report_(report), hold_(hold) {}
  [[noreturn]] void run(const std::string& file, const std::vector<std::string>& arguments,
                        int outputs, double seconds);

 private:
  bool start(const std::string& file, const std::vector<std::string>& arguments, int outputs);
  void watch(double seconds);
  bool has_ended(int milliseconds);
  void tell(program_end::how kind, int number) const;

  int report_;
  int hold_;
  pid_t program_ = -1;
  int status_ = 0;
};

}  // namespace

void supervisor::tell(program_end::how kind, int number) const {
  char line[64];
  // What the program wrote last may have no line feed.
  const int length =
      std::snprintf(line, sizeof line, "\n%s %d %d\n", end_word, static_cast<int>(kind), number);
  (void)!::write(report_, line, static_cast<std::size_t>(length));
}

bool supervisor::start(const std::string& file, const std::vector<std::string>& arguments,
                       int outputs) {
  child what{{file}, outputs, outputs, {report_, hold_}};
  what.command.insert(what.command.end(), arguments.begin(), arguments.end());
  const int wrong = spawn::start(what, program_);
  if (wrong != 0) tell(program_end::how::not_started, wrong);
  return wrong == 0;
}

bool supervisor::has_ended(int milliseconds) {
  const clock::time_point end = clock::now() + std::chrono::milliseconds(milliseconds);
  do {
    const pid_t ended = ::waitpid(program_, &status_, WNOHANG);
    if (ended != 0) return true;
    ::usleep(2000);
  } while (clock::now() < end);
  return false;
}

void supervisor::watch(double seconds) {
  const clock::time_point end = clock::now() + duration_of(seconds);
  for (;;) {
    pollfd hold{hold_, POLLIN, 0};
    if (::poll(&hold, 1, 10) > 0) {
      has_ended(grace_milliseconds);
      return;
    }
    if (has_ended(0)) break;
    if (clock::now() < end) continue;
    tell(program_end::how::timed_out, static_cast<int>(seconds));
    return;
  }
  if (WIFSIGNALED(status_)) {
    tell(program_end::how::signalled, WTERMSIG(status_));
  } else {
    tell(program_end::how::exited, WEXITSTATUS(status_));
  }
}

void supervisor::run(const std::string& file, const std::vector<std::string>& arguments,
                     int outputs, double seconds) {
  // A session of its own: signals of the terminal end this program's parent, which it then sees.
  ::setsid();
  adopt_orphans();
  leave_no_core();
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; ++number) ::dup2(nothing, number);
  ::signal(SIGPIPE, SIG_IGN);
  if (start(file, arguments, outputs)) {
    watch(seconds);
    end_descendants(program_);
  }
  ::_exit(0);
}

struct supervised_program::processes {
  pid_t supervisor = -1;
};

supervised_program::supervised_program(const std::string& file,
                                       const std::vector<std::string>& arguments, double seconds)
    : started_(std::make_unique<processes>()) {
  int report[2];
  int outputs[2];
  int hold[2];
  end_ = {program_end::how::not_started, EMFILE};
  if (!make_pipe(report) || !make_pipe(outputs) || !make_pipe(hold)) return;
  started_->supervisor = ::fork();
  if (started_->supervisor == 0) {
    ::close(report[0]);
    ::close(outputs[0]);
    ::close(hold[1]);
    supervisor(report[1], hold[0]).run(file, arguments, outputs[1], seconds);
  }
  if (started_->supervisor < 0) end_.number = errno;
  if (started_->supervisor > 0) end_ = {};
  ::close(report[1]);
  ::close(outputs[1]);
  ::close(hold[0]);
  report_ = report[0];
  outputs_ = outputs[0];
  hold_ = hold[1];
}

supervised_program::~supervised_program() {
  // Its last words must not wait for a reader.
  for (int* const file : {&hold_, &report_, &outputs_}) close_file(*file);
  if (started_->supervisor > 0) ::waitpid(started_->supervisor, nullptr, 0);
}

/// False at the end of the report.
bool supervised_program::wait_for_words() {
  pollfd files[] = {{report_, POLLIN, 0}, {outputs_, POLLIN, 0}};
  if (::poll(files, 2, 1000) < 0 && errno != EINTR) return false;
  if ((files[1].revents & POLLIN) != 0) read_output();
  if ((files[0].revents & (POLLIN | POLLHUP)) == 0) {
    // A process that it has left behind can hold the pipe open, but not the supervisor.
    if (::waitpid(started_->supervisor, nullptr, WNOHANG) == 0) return true;
    started_->supervisor = -1;
    // Its last words may have come after poll().
    const std::size_t known = text_.size();
    if (can_be_read(report_, 0)) read_report();
    return text_.size() != known;
  }
  const std::size_t before = text_.size();
  read_report();
  return text_.size() != before;
}

bool supervised_program::next_line(std::string& line) {
  while (end_.kind == program_end::how::runs) {
    if (!take_line(line)) {
      if (!wait_for_words()) end_ = {program_end::how::signalled, SIGKILL};
      continue;
    }
    if (line.empty()) continue;
    if (line.compare(0, std::strlen(end_word), end_word) != 0) return true;
    int kind = 0;
    std::sscanf(line.c_str() + std::strlen(end_word), "%d %d", &kind, &end_.number);
    end_.kind = static_cast<program_end::how>(kind);
    read_rest_of_output();
  }
  return false;
}

}  // namespace cudnn_checked::spawn
