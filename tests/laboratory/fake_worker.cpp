// SPDX-License-Identifier: BSD-3-Clause
//
// usage: fake_worker HOW FOLDER PARENT
//
// A worker of the sweep without cuDNN: it has three plans for each problem, engines 1, 2 and 3, and
// does with engine 2 what HOW says.  FOLDER is for what several workers know together.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "laboratory/sweep/model/line.h"
#include "laboratory/sweep/pool/worker_process.h"
#include "laboratory/sweep/work/line_pipe.h"

using namespace cudnn_checked;

namespace {

std::string how;
std::string folder;
constexpr int commands = sweep::commands_number;
constexpr int answers = sweep::answers_number;

void say_words(const std::string& line) {
  if (!sweep::write_line(answers, line)) ::_exit(4);
}

void say(const sweep::message& what) { say_words(sweep::to_line(what)); }

using kind = sweep::message::kind;

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

/// True for the one that asks first.
bool is_first(const std::string& what) {
  return ::open((folder + "/" + what).c_str(), O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0;
}

/// Room for two at a time.
bool has_room() {
  for (const char* name : {"/room1", "/room2"}) {
    const int file = ::open((folder + name).c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    ::close(file);
  }
  return false;
}

/// What happens at the start.  False: it cannot compute.
bool start() {
  if (how == "crash-at-start") {
    std::fputs("\nsymbol lookup error: libcudnn.so.9\n\n", stderr);
    std::abort();
  }
  if (how == "exit-at-start") std::exit(3);
  if (how == "no-memory-at-start") std::exit(sweep::no_memory_status);
  if (how == "hang-at-start") sleep_for_ever();
  if (how == "foreign-at-start") say_words("Welcome");
  if (how == "crash-first-start" && is_first("start")) std::abort();
  if (how == "cannot") say(sweep::message(std::string("there is no GPU")));
  if (how == "cannot") return false;
  if (how != "two-fit" || has_room()) return true;
  say(sweep::message(std::string("cuCtxCreate: CUDA_ERROR_OUT_OF_MEMORY")));
  return false;
}

void flood() {
  const std::string much(1U << 16, 'x');
  while (::write(answers, much.data(), much.size()) > 0) {
  }
}

/// The file is there with its contents or not at all: this process may be killed at any time.
void leave_child() {
  const pid_t child = ::fork();
  if (child == 0) sleep_for_ever();
  const std::string part = folder + "/child.part";
  FILE* const file = std::fopen(part.c_str(), "we");
  std::fprintf(file, "%d", static_cast<int>(child));
  std::fclose(file);
  std::rename(part.c_str(), (folder + "/child").c_str());
}

/// What happens while it has no reference yet.
void prepare() {
  if (how == "prepare-long") ::usleep(1300000);
  if (how == "prepare-for-ever") sleep_for_ever();
  if (how == "prepare-and-die") {
    std::fputs("terminate called after throwing an instance of 'std::bad_alloc'\n", stderr);
    std::abort();
  }
  if (how == "prepare-and-die-once" && is_first("killed")) std::abort();
}

/// What happens with engine 2, before its result.
void misbehave(const sweep::plan& with, std::size_t problem) {
  if (how == "abort") {
    std::printf("on standard output\n");
    std::fflush(stdout);
    std::fprintf(stderr, "first words\nlast words \x1b[1m\n");
    std::abort();
  }
  if (how == "exit") std::exit(5);
  if (how == "hang") sleep_for_ever();
  if (how == "leave-child") leave_child();
  if (how == "leave-child") sleep_for_ever();
  if (how == "foreign") say_words("CUDA error: out of memory");
  if (how == "other-plan") say(sweep::message(kind::built, problem, 3));
  if (how == "other-problem") say(sweep::message(kind::end, problem + 1));
  if (how == "flood") flood();
  if (how == "silent") {
    ::close(answers);
    sleep_for_ever();
  }
  if (how == "killed") ::raise(SIGKILL);
  if (how == "no-memory") ::_exit(sweep::no_memory_status);
  if (how == "killed-once" && is_first("killed")) ::raise(SIGKILL);
  if (how == "slow") ::usleep(20000);
  if (how == "long") ::usleep(1200000);
  if (how != "lost") return;
  sweep::result lost;
  lost.problem = problem;
  lost.with = with;
  lost.what = sweep::outcome::died;
  lost.detail = "cudaDeviceSynchronize: misaligned address";
  say(sweep::message(lost));
  ::_exit(0);
}

void compute_problem(const sweep::message& given) {
  for (std::size_t number = given.number; number < 4; ++number) {
    if (number == given.number && number != 0) {
      say(sweep::message(kind::prepares, given.problem));
      prepare();
    }
    if (sweep::has_ended(commands) && how != "stubborn") ::_exit(0);
    sweep::plan with;
    with.engine = number == 0 ? -1 : static_cast<std::int64_t>(number);
    if (number == 1) with.offers = {{sweep::heuristic::a, 1}};
    if (how == "before-begin") std::exit(6);
    say({given.problem, number, with});
    if (how == "in-heuristic" && number == 0) std::abort();
    if (how == "always") std::abort();
    if (number == 2 && how == "compile") ::usleep(1300000);
    if (number == 2 && how == "compile-for-ever") sleep_for_ever();
    if (number != 0) say(sweep::message(kind::built, given.problem, number));
    if (number == 2) misbehave(with, given.problem);
    if (number == 0) {
      say(sweep::message(kind::prepares, given.problem));
      prepare();
      continue;
    }
    sweep::result came;
    came.problem = given.problem;
    came.with = with;
    came.what = number == 3 && how == "wrong" ? sweep::outcome::wrong : sweep::outcome::right;
    say(sweep::message(came));
  }
  if (how == "stubborn" && given.problem > 0) sleep_for_ever();
  sweep::message counts(kind::counts, given.problem);
  counts.left = {40, 1, 3, 2};
  say(counts);
  say(sweep::message(kind::end, given.problem));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  how = arguments[1];
  folder = arguments[2];
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::signal(SIGPIPE, SIG_IGN);
  sweep::line_source from(commands);
  std::string line;
  sweep::message given;
  if (!from.next(line) || !sweep::read_line(line, given) ||
      given.asked.library != "/lib/libcudnn.so.9") {
    return 9;
  }
  if (!start()) return 3;
  sweep::machine on;
  on.gpu = "fake";
  say(sweep::message(on));
  while (from.next(line)) {
    if (!sweep::read_line(line, given) || given.what != kind::compute) return 8;
    compute_problem(given);
  }
  return 0;
}
