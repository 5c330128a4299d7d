// SPDX-License-Identifier: BSD-3-Clause
//
// How a sweep ends: in time, early, without a result, by a signal; with a worker that misbehaves
// (fake_worker.cpp).
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sweep_of_fakes.h"

using namespace cudnn_checked;
using test::first_of;
using test::sweep_of_fakes;

TEST_CASE("where nothing can be computed the sweep ends at once and says why") {
  const struct {
    const char* how;
    const char* why;
  } cases[] = {
      {"cannot", "there is no GPU"},
      {"crash-at-start",
       "a process ended by SIGABRT before it could compute: symbol lookup error: libcudnn.so.9"},
      {"exit-at-start", "a process ended with status 3 before it could compute"},
      {"no-memory-at-start", "a process ended for want of main memory before it could compute"},
      {"hang-at-start", "a process was not ready after 0.2 s"},
      {"foreign-at-start",
       "a process wrote what is not of a worker, and was ended before it could compute"},
      {"before-begin", "every worker process ended with status 6"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.how);
    sweep_of_fakes sweeping(one.how);
    if (one.how[0] == 'h') sweeping.settings.start_seconds = 0.2;
    const sweep::record all = sweeping.run();
    CHECK(all.why_not == one.why);
    CHECK(all.ended_early.empty());
    CHECK(sweeping.took < sweeping.asked.seconds);
  }
}

TEST_CASE("a program that cannot be started is the reason") {
  sweep_of_fakes sweeping("right");
  sweeping.settings.worker = {"/nowhere/cudnn-checked"};
  CHECK(sweeping.run().why_not ==
        "the program cannot be started again: /nowhere/cudnn-checked: No such file or directory");
}

TEST_CASE("where every plan ends its worker the sweep ends before its time") {
  sweep_of_fakes sweeping("always");
  const sweep::record all = sweeping.run();
  CHECK(sweeping.took < sweeping.asked.seconds);
  CHECK(all.why_not == "every worker process ended by SIGABRT");
}

TEST_CASE("a worker that fails to start once is started again") {
  sweep_of_fakes sweeping("crash-first-start");
  sweeping.asked.workers = 1;
  sweeping.compute_only(1);
  const sweep::record all = sweeping.run();
  CHECK(all.why_not.empty());
  CHECK(all.results.size() == 3);
}

TEST_CASE("where only two contexts fit, two workers go on") {
  sweep_of_fakes sweeping("two-fit");
  sweeping.asked.workers = 5;
  // Where the others have ended, and not before both compute.
  std::size_t most = 0;
  sweeping.on_show = [&](const sweep::sweep_progress& now) {
    most = std::max(most, now.workers);
    if (most == 2 && now.plans > 1000) ::raise(SIGINT);
  };
  const sweep::record all = sweeping.run();
  CHECK(all.interrupted);
  CHECK(all.why_not.empty());
  CHECK(all.ended_early.empty());
  CHECK(sweeping.most_workers == 2);
  CHECK(all.results.size() > 0);
}

TEST_CASE("the time ends a sweep whose workers do not listen") {
  sweep_of_fakes sweeping("stubborn");
  sweeping.asked.seconds = 3;
  const sweep::record all = sweeping.run();
  CHECK(sweeping.took < sweeping.asked.plan_seconds);
  CHECK(first_of(all, sweep::outcome::hung) == nullptr);
  CHECK(all.unfinished == std::vector<std::size_t>{1, 2});
}

TEST_CASE("a time that is too short for the first worker is said") {
  sweep_of_fakes sweeping("hang-at-start");
  sweeping.asked.seconds = 0.05;
  CHECK(sweeping.run().why_not == "the time was over before the first plan was computed");
}

TEST_CASE("a signal ends the sweep with what is known by then") {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    sweep_of_fakes sweeping("slow");
    sweeping.on_show = [number, sent = false](const sweep::sweep_progress& now) mutable {
      if (now.plans > 3 && !sent) ::raise(number);
      sent = sent || now.plans > 3;
    };
    const sweep::record all = sweeping.run();
    CHECK(all.interrupted);
    CHECK(all.results.size() > 3);
    CHECK(first_of(all, sweep::outcome::died) == nullptr);
    CHECK(sweeping.took < sweeping.asked.seconds);
  }
}

TEST_CASE("a signal before the first plan is the reason") {
  sweep_of_fakes sweeping("hang-at-start");
  sweeping.on_show = [](const sweep::sweep_progress&) { ::raise(SIGINT); };
  const sweep::record all = sweeping.run();
  CHECK(all.interrupted);
  CHECK(all.why_not == "interrupted before the first plan was computed");
}

TEST_CASE("a second signal ends the process, with its workers") {
  const pid_t process = ::fork();
  if (process == 0) {
    ::signal(SIGINT, SIG_DFL);
    sweep_of_fakes sweeping("stubborn");
    sweeping.settings.grace_seconds = 20;
    sweeping.on_show = [&](const sweep::sweep_progress& now) {
      if (now.plans < 3) return;
      ::rmdir(sweeping.folder.path.c_str());
      ::raise(SIGINT);
    };
    sweep::run_pool(sweeping.asked, sweeping.on_show, sweeping.settings);
    ::_exit(1);
  }
  int status = 0;
  CHECK(::waitpid(process, &status, 0) == process);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGINT);
}

TEST_CASE("a signal that was ignored stays ignored") {
  ::signal(SIGINT, SIG_IGN);
  sweep_of_fakes sweeping("right");
  sweeping.asked.seconds = 0.5;
  bool raised = false;
  sweeping.on_show = [&](const sweep::sweep_progress&) { raised = ::raise(SIGINT) == 0; };
  const sweep::record all = sweeping.run();
  CHECK(raised);
  CHECK_FALSE(all.interrupted);
  const bool is_ignored = ::signal(SIGINT, SIG_DFL) == SIG_IGN;
  CHECK(is_ignored);
}
