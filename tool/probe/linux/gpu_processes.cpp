// SPDX-License-Identifier: BSD-3-Clause
#include "../gpu_processes.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace cudnn_checked::probe {

namespace {

/// What a process says, in one piece: all of them write to the same pipe.
struct answer_of_gpu {
  enum class kind { stage, kernel_run, convolution, skipped, ended };
  kind what = kind::ended;
  int device = 0;
  int status = 0;   ///< of `ended`, as waitpid(2) has it
  convolution run;  ///< but for its strings, which follow
  char shape[96] = "";
  char output[32] = "";  ///< "inverse deviation" is the longest
  char failed_call[96] = "";
  char status_name[96] = "";
  char text[1024] = "";  ///< its status_text; the stage; what was skipped
};
static_assert(std::is_trivially_copyable<answer_of_gpu>::value, "it is sent as bytes");
static_assert(sizeof(answer_of_gpu) <= PIPE_BUF, "what is longer is not written in one piece");

template <std::size_t size>
void keep_text(const arena_string& text, char (&to)[size]) {
  std::memcpy(to, text.data(), text.size() < size ? text.size() : size - 1);
}

answer_of_gpu make_answer(answer_of_gpu::kind what, int device, const arena_string& text) {
  answer_of_gpu made;
  made.what = what;
  made.device = device;
  keep_text(text, made.text);
  return made;
}

answer_of_gpu make_answer(answer_of_gpu::kind what, int device, const convolution& run) {
  answer_of_gpu made = make_answer(what, device, run.status_text);
  made.run = run;
  keep_text(run.shape, made.shape);
  keep_text(run.output, made.output);
  keep_text(run.failed_call, made.failed_call);
  keep_text(run.status_name, made.status_name);
  return made;
}

convolution run_of(const answer_of_gpu& came) {
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
  told_to_parent(int answers, int device) : answers_(answers), device_(device) {}
  void stage(const arena_string& what) override {
    (void)write_whole(answers_, make_answer(answer_of_gpu::kind::stage, device_, what));
  }

 private:
  int answers_;
  int device_;
};

/// Where the process that has started this one ends, so does this.
void end_with_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
}

[[noreturn]] void compute_on(int index, const work& asked, int answers) {
  using kind = answer_of_gpu::kind;
  gpu device;
  device.index = index;
  told_to_parent listener(answers, index);
  problem_store problems;
  observation seen;
  run_on_gpu(device, asked, problems, listener, seen);
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
  struct started {
    pid_t process;
    int device;
  };
  arena_vector<started> all;
  const pid_t here = ::getpid();
  for (int device = 0; read_whole(orders, device);) {
    const pid_t process = ::fork();
    if (process == 0) {
      end_with_parent(here);
      ::close(orders);
      compute_on(device, asked, answers);
    }
    all.push_back({process, device});
  }
  int status = 0;
  for (pid_t ended = 0; (ended = ::waitpid(-1, &status, 0)) > 0 || errno == EINTR;) {
    for (const started& one : all) {
      if (one.process != ended) continue;
      answer_of_gpu last = make_answer(answer_of_gpu::kind::ended, one.device, arena_string());
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

/// As the process of a GPU did, so that whoever has started this one sees how.
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

gpu_processes::~gpu_processes() {
  if (orders_ >= 0) ::close(orders_);
  if (answers_ >= 0) ::close(answers_);
  if (parent_ > 0) (void)::waitpid(parent_, nullptr, 0);
}

bool gpu_processes::start(const gpu& device) {
  if (parent_ <= 0 || !write_whole(orders_, device.index)) return false;
  parts_.push_back(
      {device.index, "the start on GPU " + cudnn_checked::to_string(device.index), {}, {}, {}});
  return true;
}

gpu_processes::part* gpu_processes::find(int device) {
  for (part& one : parts_.in_place()) {
    if (one.device == device) return &one;
  }
  return nullptr;
}

/// "graph/fp16/nchw on GPU 1, legacy on GPU 2": what is not at its end.
void gpu_processes::tell(stage_listener& listener) const {
  arena_string stages;
  for (const part& one : parts_) {
    if (!one.stage.empty()) stages += (stages.empty() ? "" : ", ") + one.stage;
  }
  if (!stages.empty()) listener.stage(stages);
}

void gpu_processes::finish(stage_listener& listener, observation& observed) {
  using kind = answer_of_gpu::kind;
  if (orders_ >= 0) ::close(orders_);
  orders_ = -1;
  tell(listener);
  for (answer_of_gpu came; !parts_.empty() && read_whole(answers_, came);) {
    part* const from = find(came.device);
    if (from == nullptr) continue;
    if (came.what == kind::kernel_run) from->kernel_runs.push_back(run_of(came));
    if (came.what == kind::convolution) from->convolutions.push_back(run_of(came));
    if (came.what == kind::skipped) from->skipped.push_back(arena_string(came.text));
    if (came.what == kind::stage) from->stage = came.text;
    if (came.what == kind::ended && came.status != 0) {
      listener.stage(from->stage);
      end_as(came.status);
    }
    if (came.what == kind::ended) from->stage = "";
    if (came.what == kind::ended || came.what == kind::stage) tell(listener);
  }
  for (const part& one : parts_) {
    if (!one.stage.empty()) end_as(0);
    append(one.kernel_runs, observed.kernel.runs);
    append(one.convolutions, observed.convolutions);
    append(one.skipped, observed.skipped);
  }
}

}  // namespace cudnn_checked::probe
