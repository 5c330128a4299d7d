// SPDX-License-Identifier: BSD-3-Clause
//
// The processes of a sweep, with a worker that misbehaves in every way (fake_worker.cpp).
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "laboratory/sweep/pool/worker_count.h"
#include "laboratory/sweep/problems/problems.h"
#include "sweep_of_fakes.h"

using namespace cudnn_checked;
using test::count_of;
using test::first_of;
using test::sweep_of_fakes;

TEST_CASE("workers that behave compute problem after problem until the time is over") {
  const int files = test::open_files();
  sweep_of_fakes sweeping("right");
  // Time for the workers' start on a machine that does other things; who behaves ends without the
  // grace.
  sweeping.asked.seconds = 3;
  sweeping.settings.grace_seconds = 60;
  const sweep::record all = sweeping.run();
  CHECK(all.why_not.empty());
  CHECK(all.ended_early.empty());
  CHECK_FALSE(all.interrupted);
  CHECK(all.on.gpu == "fake");
  CHECK(all.asked.library == "/lib/libcudnn.so.9");
  CHECK(all.problems.size() > 4);
  CHECK(all.unfinished.size() <= 2);
  const std::size_t whole = all.problems.size() - all.unfinished.size();
  CHECK(all.results.size() >= 3 * whole);
  CHECK(all.unsupported == 40 * whole);
  CHECK(all.blocked == 2 * whole);
  CHECK(all.too_large == whole);
  CHECK(all.skipped == 3 * whole);
  CHECK(count_of(all, sweep::outcome::right, 3) >= whole);
  CHECK(all.seconds >= 3);
  CHECK(sweeping.took < 60);
  CHECK(sweeping.most_workers == 2);
  CHECK(sweeping.last.plans > 0);
  CHECK(sweeping.last.defects == 0);
  CHECK(test::open_files() == files);
}

TEST_CASE("each problem is computed once, whatever happens to its workers") {
  for (const char* how : {"wrong", "abort", "lost", "killed-once"}) {
    CAPTURE(how);
    sweep_of_fakes sweeping(how);
    sweeping.compute_only(20);
    const sweep::record all = sweeping.run();
    REQUIRE(all.why_not.empty());
    CHECK(all.problems.size() == 20);
    std::vector<int> seen(all.problems.size() * 4, 0);
    for (const sweep::result& one : all.results) {
      REQUIRE(one.problem < all.problems.size());
      ++seen[one.problem * 4 + static_cast<std::size_t>(one.with.engine)];
    }
    CHECK(*std::max_element(seen.begin(), seen.end()) == 1);
    for (std::size_t problem = 0; problem < all.problems.size(); ++problem) {
      const bool whole =
          std::find(all.unfinished.begin(), all.unfinished.end(), problem) == all.unfinished.end();
      const int found = seen[problem * 4 + 1] + seen[problem * 4 + 2] + seen[problem * 4 + 3];
      if (whole) CHECK(found == 3);
    }
    CHECK(std::is_sorted(all.unfinished.begin(), all.unfinished.end()));
  }
}

// Within five seconds: what was killed ends when the machine gets to it.  It is another process's
// child by now, which may not have waited for it.
static bool has_ended(int process) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/exe", process);
  char target[8];
  for (int i = 0; i < 500; ++i) {
    if (::readlink(path, target, sizeof target) < 0) return true;
    ::usleep(10000);
  }
  return false;
}

TEST_CASE("a plan that ends its worker is named, and the problem goes on behind it") {
  const struct {
    const char* how;
    sweep::outcome what;
    const char* detail;
  } cases[] = {
      {"abort", sweep::outcome::died, "ended by SIGABRT: last words ?[1m"},
      {"exit", sweep::outcome::died, "ended with status 5"},
      {"hang", sweep::outcome::hung, "not finished after 0.5 s"},
      {"leave-child", sweep::outcome::hung, "not finished after 0.5 s"},
      {"foreign", sweep::outcome::died, "wrote what is not of a worker, and was ended"},
      {"other-problem", sweep::outcome::died, "wrote what is not of a worker, and was ended"},
      {"other-plan", sweep::outcome::died, "wrote what is not of a worker, and was ended"},
      {"compile-for-ever", sweep::outcome::hung, "not built after 1 s"},
      {"flood", sweep::outcome::died, "wrote what is not of a worker, and was ended"},
      {"silent", sweep::outcome::hung, "not finished after 0.5 s"},
      {"lost", sweep::outcome::died, "cudaDeviceSynchronize: misaligned address"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.how);
    sweep_of_fakes sweeping(one.how);
    sweeping.compute_only(2);
    sweeping.asked.plan_seconds = 0.5;
    const sweep::record all = sweeping.run();
    CHECK(all.why_not.empty());
    CHECK(all.ended_early.empty());
    const sweep::result* const culprit = first_of(all, one.what);
    REQUIRE(culprit != nullptr);
    CHECK(culprit->with.engine == 2);
    CHECK(culprit->detail == one.detail);
    CHECK(count_of(all, sweep::outcome::right, 1) > 0);
    CHECK(count_of(all, sweep::outcome::right, 3) > 0);
    CHECK(count_of(all, sweep::outcome::right, 2) == 0);
    if (FILE* const file = std::fopen((sweeping.folder.path + "/child").c_str(), "re")) {
      int child = 0;
      CHECK(std::fscanf(file, "%d", &child) == 1);
      std::fclose(file);
      CHECK(has_ended(child));
    }
  }
}

TEST_CASE("a plan may take long to be built") {
  sweep_of_fakes sweeping("compile");
  sweeping.compute_only(2);
  sweeping.asked.plan_seconds = 1;
  sweeping.settings.build_factor = 100;
  const sweep::record all = sweeping.run();
  CHECK(all.ended_early.empty());
  CHECK(first_of(all, sweep::outcome::hung) == nullptr);
  CHECK(count_of(all, sweep::outcome::right, 2) > 0);
}

TEST_CASE("the time that a reference takes is no plan's, and not that of the heuristics") {
  for (const char* how : {"prepare-long", "prepare-and-die-once"}) {
    CAPTURE(how);
    sweep_of_fakes sweeping(how);
    sweeping.compute_only(2);
    sweeping.asked.plan_seconds = 1;
    sweeping.settings.prepare_seconds = 30;
    const sweep::record all = sweeping.run();
    CHECK(all.ended_early.empty());
    CHECK(first_of(all, sweep::outcome::hung) == nullptr);
    CHECK(first_of(all, sweep::outcome::died) == nullptr);
    CHECK(count_of(all, sweep::outcome::right, 3) > 0);
  }
}

TEST_CASE("where no reference can be computed nobody is named") {
  const struct {
    const char* how;
    double seconds;  // a process that dies has the time for it, on a machine that is busy
    const char* why;
  } cases[] = {
      {"prepare-for-ever", 0.02, "every worker process had no reference after 0.02 s"},
      {"prepare-and-die", 30,
       "every worker process ended by SIGABRT: terminate called after throwing an instance of "
       "'std::bad_alloc'"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.how);
    sweep_of_fakes sweeping(one.how);
    sweeping.settings.prepare_seconds = one.seconds;
    const sweep::record all = sweeping.run();
    CHECK(all.results.empty());
    CHECK(all.why_not == one.why);
    CHECK(sweeping.took < sweeping.asked.seconds);
  }
}

TEST_CASE("the time in which this process did not run is none of a plan's") {
  sweep_of_fakes sweeping("long");
  sweeping.compute_only(1);
  sweeping.asked.plan_seconds = 1;
  bool slept = false;
  sweeping.on_show = [&](const sweep::sweep_progress& now) {
    if (now.plans == 1 && !slept) ::usleep(1000000);
    slept = slept || now.plans == 1;
  };
  const sweep::record all = sweeping.run();
  CHECK(slept);
  CHECK(count_of(all, sweep::outcome::right, 2) == 1);
}

TEST_CASE("chosen problems are computed, and then it ends") {
  for (const char* how : {"wrong", "abort"}) {
    CAPTURE(how);
    sweep_of_fakes sweeping(how);
    sweeping.asked.only = {2, 7, 1000000};
    sweeping.asked.workers = 50;
    const sweep::record all = sweeping.run();
    CHECK(sweeping.took < sweeping.asked.seconds);
    CHECK(all.unfinished.empty());
    CHECK(sweeping.most_workers <= 3);
    REQUIRE(all.problems.size() == 3);
    CHECK(sweep::to_string(all.problems[1]) ==
          sweep::to_string(sweep::problem_at(sweeping.asked, 7)));
    REQUIRE(all.results.size() == 9);
    std::vector<int> count(3, 0);
    for (const sweep::result& one : all.results) ++count.at(one.problem);
    CHECK(count == std::vector<int>{3, 3, 3});
  }
}

TEST_CASE("a worker that somebody else kills, or that lacks memory, is not held against the plan") {
  for (const char* how : {"killed-once", "killed", "no-memory"}) {
    CAPTURE(how);
    sweep_of_fakes sweeping(how);
    sweeping.compute_only(8);
    const sweep::record all = sweeping.run();
    CHECK(first_of(all, sweep::outcome::died) == nullptr);
    CHECK((count_of(all, sweep::outcome::right, 2) > 0) == (std::string(how) == "killed-once"));
    CHECK(count_of(all, sweep::outcome::right, 3) > 0);
    const std::size_t whole = all.problems.size() - all.unfinished.size();
    REQUIRE(whole > 0);
    // What was left out twice is counted; each end of a fake's problem counts one.
    CHECK((all.too_large >= 2 * whole) == (std::string(how) != "killed-once"));
  }
}

TEST_CASE(
    "a library that ends each process when it is asked for plans is named without an engine") {
  sweep_of_fakes sweeping("in-heuristic");
  sweeping.compute_only(4);
  const sweep::record all = sweeping.run();
  REQUIRE(all.results.size() > 1);
  CHECK(all.results[0].what == sweep::outcome::died);
  CHECK(all.results[0].with.engine == -1);
  CHECK(all.results[1].problem != all.results[0].problem);
}

TEST_CASE("right results beyond the bound are counted, defects are kept") {
  sweep_of_fakes sweeping("wrong");
  sweeping.settings.most_results = 10;
  const sweep::record all = sweeping.run();
  CHECK(all.results.size() <= 20 + 2);
  CHECK(all.right_left_out > 0);
  CHECK(all.ended_early == "there are more defects than are kept in memory");
  CHECK(sweeping.took < sweeping.asked.seconds);
  CHECK(count_of(all, sweep::outcome::wrong, 3) > 10);
  // What lacks results is not taken for whole.
  CHECK(all.problems.size() - all.unfinished.size() <= 4);
}

TEST_CASE("workers: one a processor, at most half of the free memory") {
  sweep::resources machine;
  machine.processors = 16;
  machine.worker_bytes = std::uint64_t{1} << 30;
  CHECK(sweep::count_of_workers(machine) == 16);
  machine.processors = 128;
  CHECK(sweep::count_of_workers(machine) == 32);
  machine.processors = 0;
  CHECK(sweep::count_of_workers(machine) == 1);
  machine.processors = 16;
  machine.gpu_memory = std::uint64_t{139} << 30;
  CHECK(sweep::count_of_workers(machine) == 16);
  machine.gpu_memory = std::uint64_t{24} << 30;
  CHECK(sweep::count_of_workers(machine) == 8);
  machine.gpu_memory = std::uint64_t{1} << 30;
  CHECK(sweep::count_of_workers(machine) == 1);
  machine.gpu_memory = 0;
  machine.memory = std::uint64_t{6} << 30;
  CHECK(sweep::count_of_workers(machine) == 4);
  const sweep::resources here = sweep::resources_of_this_machine();
  CHECK(here.processors > 0);
  CHECK(here.memory > 0);
}
