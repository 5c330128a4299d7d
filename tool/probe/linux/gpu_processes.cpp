// SPDX-License-Identifier: BSD-3-Clause
#include "../gpu_processes.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "../../core/linux/write_signals.h"

namespace cudnn_checked::probe {

namespace {

/// The exit status of a process in which cuDNN could not be started, and that has computed nothing.
constexpr int not_started = 75;  // EX_TEMPFAIL

/// What a process says, in one piece: all of them write to the same pipe.
struct answer_of_part {
  enum class kind { stage, kernel_run, convolution, skipped, ended };
  kind what = kind::ended;
  int part = 0;     ///< in the order of their start
  int status = 0;   ///< of `ended`, as waitpid(2) has it
  convolution run;  ///< but for its strings, which follow
  char shape[96] = "";
  char output[32] = "";  ///< "inverse deviation" is the longest
  char failed_call[96] = "";
  char status_name[96] = "";
  char text[1024] = "";  ///< its status_text; the stage; what was skipped
};
static_assert(std::is_trivially_copyable<answer_of_part>::value, "it is sent as bytes");
static_assert(sizeof(answer_of_part) <= PIPE_BUF, "what is longer is not written in one piece");

template <std::size_t size>
void keep_text(const arena_string& text, char (&to)[size]) {
  std::memcpy(to, text.data(), text.size() < size ? text.size() : size - 1);
}

answer_of_part make_answer(answer_of_part::kind what, int part, const arena_string& text) {
  answer_of_part made;
  made.what = what;
  made.part = part;
  keep_text(text, made.text);
  return made;
}

answer_of_part make_answer(answer_of_part::kind what, int part, const convolution& run) {
  answer_of_part made = make_answer(what, part, run.status_text);
  made.run = run;
  keep_text(run.shape, made.shape);
  keep_text(run.output, made.output);
  keep_text(run.failed_call, made.failed_call);
  keep_text(run.status_name, made.status_name);
  return made;
}

convolution run_of(const answer_of_part& came) {
  convolution run = came.run;
  run.shape = came.shape;
  run.output = came.output;
  run.failed_call = came.failed_call;
  run.status_name = came.status_name;
  run.status_text = came.text;
  return run;
}

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

class told_to_parent final : public stage_listener {
 public:
  told_to_parent(int answers, int part) : answers_(answers), part_(part) {}
  void stage(const arena_string& what) override {
    (void)write_whole(answers_, make_answer(answer_of_part::kind::stage, part_, what));
  }

 private:
  int answers_;
  int part_;
};

/// Where the process that has started this one ends, so does this.
void end_with_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
}

[[noreturn]] void compute(int index, const share& part, const work& asked, int answers) {
  using kind = answer_of_part::kind;
  told_to_parent listener(answers, index);
  problem_store problems;
  observation seen;
  if (!run_on_gpu(part, asked, problems, listener, seen) && part.of > 1) ::_exit(not_started);
  bool told = true;
  for (const convolution& run : seen.kernel.runs) {
    told = told && write_whole(answers, make_answer(kind::kernel_run, index, run));
  }
  for (const convolution& run : seen.convolutions) {
    told = told && write_whole(answers, make_answer(kind::convolution, index, run));
  }
  for (const arena_string& text : seen.skipped) {
    told = told && write_whole(answers, make_answer(kind::skipped, index, text));
  }
  // Neither exit handlers nor destructors: they belong to the process that this one is a copy of.
  ::_exit(told ? 0 : 1);
}

[[noreturn]] void start_on_order(int orders, int answers, const work& asked) {
  arena_vector<pid_t> all;
  const pid_t here = ::getpid();
  for (share part; read_whole(orders, part) && part.of > 0;) {
    const pid_t process = ::fork();
    if (process == 0) {
      end_with_parent(here);
      ::close(orders);
      compute(static_cast<int>(all.size()), part, asked, answers);
    }
    all.push_back(process);
  }
  int status = 0;
  for (pid_t ended = 0; (ended = ::waitpid(-1, &status, 0)) > 0 || errno == EINTR;) {
    for (const pid_t& one : all) {
      if (one != ended) continue;
      const int part = static_cast<int>(&one - all.data());
      answer_of_part last = make_answer(answer_of_part::kind::ended, part, arena_string());
      last.status = status;
      (void)write_whole(answers, last);
    }
  }
  ::_exit(0);
}

template <class element>
void append(const arena_vector<element>& from, arena_vector<element>& to) {
  to.insert(to.end(), from.begin(), from.end());
}

/// As the process of a share did, so that whoever has started this one sees how.
[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
  }
  ::_exit(WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status) : 1);
}

}  // namespace

gpu_processes::gpu_processes(const work& asked) {
  int orders[2];
  int answers[2];
  if (::pipe2(orders, O_CLOEXEC) != 0) return;
  if (::pipe2(answers, O_CLOEXEC) == 0) {
    // Nobody reads before finish().  In 64 KiB, which is usual, a process would wait for that.
    (void)::fcntl(answers[1], F_SETPIPE_SZ, 1 << 20);
    const pid_t here = ::getpid();
    parent_ = ::fork();
    if (parent_ == 0) {
      end_with_parent(here);
      ::close(orders[1]);
      ::close(answers[0]);
      start_on_order(orders[0], answers[1], asked);
    }
    ::close(answers[1]);
    answers_ = answers[0];
  }
  ::close(orders[0]);
  orders_ = orders[1];
}

// A process that a library has left behind holds this end of the pipe, so closing it does not say
// it.
static void end_orders(int& orders) {
  if (orders < 0) return;
  const without_write_signals no_signal;
  share none;
  none.of = 0;
  (void)write_whole(orders, none);
  ::close(orders);
  orders = -1;
}

gpu_processes::~gpu_processes() {
  end_orders(orders_);
  if (answers_ >= 0) ::close(answers_);
  if (parent_ > 0) (void)::waitpid(parent_, nullptr, 0);
}

int gpu_processes::most_shares() {
  cpu_set_t processors;
  const bool known = ::sched_getaffinity(0, sizeof processors, &processors) == 0;
  return known ? std::clamp(CPU_COUNT(&processors), 1, 8) : 1;
}

bool gpu_processes::start(const share& asked) {
  if (parent_ <= 0 || !write_whole(orders_, asked)) return false;
  parts_.push_back(
      {asked, "the start on GPU " + cudnn_checked::to_string(asked.device), {}, {}, {}});
  return true;
}

/// "graph/fp16/nchw on GPU 1, legacy on GPU 2": what is not at its end, each once.
void gpu_processes::tell(stage_listener& listener) const {
  arena_vector<arena_string> stages;
  for (const part& one : parts_) {
    if (!one.stage.empty()) add_once(one.stage, stages);
  }
  if (!stages.empty()) listener.stage(joined(stages, ", "));
}

arena_vector<share> gpu_processes::finish(stage_listener& listener, observation& observed) {
  using kind = answer_of_part::kind;
  end_orders(orders_);
  arena_vector<share> left;
  tell(listener);
  std::size_t running = parts_.size();
  for (answer_of_part came; running > 0 && read_whole(answers_, came);) {
    part* const from = parts_.in_place().begin() + came.part;
    if (came.what == kind::kernel_run) from->kernel_runs.push_back(run_of(came));
    if (came.what == kind::convolution) from->convolutions.push_back(run_of(came));
    if (came.what == kind::skipped) from->skipped.push_back(arena_string(came.text));
    if (came.what == kind::stage) from->stage = came.text;
    if (came.what == kind::ended) {
      --running;
      const bool is_left = WIFEXITED(came.status) && WEXITSTATUS(came.status) == not_started;
      if (is_left) left.push_back(from->asked);
      if (came.status != 0 && !is_left) {
        listener.stage(from->stage);
        end_as(came.status);
      }
      from->stage = "";
    }
    if (came.what == kind::ended || came.what == kind::stage) tell(listener);
  }
  for (const part& one : parts_) {
    if (!one.stage.empty()) end_as(0);
    append(one.kernel_runs, observed.kernel.runs);
    append(one.convolutions, observed.convolutions);
    for (const arena_string& text : one.skipped) add_once(text, observed.skipped);
  }
  return left;
}

}  // namespace cudnn_checked::probe
