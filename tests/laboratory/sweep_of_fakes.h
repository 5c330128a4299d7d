// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep whose workers are fakes (fake_worker.cpp).
#pragma once

#include <dirent.h>
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "laboratory/sweep/pool/pool.h"

namespace test {

using namespace cudnn_checked;

/// A folder for the workers of one sweep.
class workers_folder {
 public:
  workers_folder() {
    char name[] = "/tmp/cudnn-checked-workers-XXXXXX";
    path = ::mkdtemp(name);
  }
  ~workers_folder() {
    for (const char* name : {"/room1", "/room2", "/start", "/killed", "/child"}) {
      ::unlink((path + name).c_str());
    }
    ::rmdir(path.c_str());
  }
  std::string path;
};

struct sweep_of_fakes {
  explicit sweep_of_fakes(const std::string& how) {
    asked.library = "/lib/libcudnn.so.9";
    // No machine is so slow: what is to end in time says so itself.
    asked.seconds = 120;
    asked.plan_seconds = 60;
    asked.workers = 2;
    settings.worker = {CUDNN_CHECKED_FAKE_WORKER, how, folder.path};
    settings.start_seconds = 60;
    settings.build_factor = 2;
    settings.grace_seconds = 0.2;
  }
  /// It ends with its first problems, as many.
  void compute_only(std::size_t problems) {
    for (std::size_t i = 0; i < problems; ++i) asked.only.push_back(i);
  }
  sweep::record run() {
    const auto begin = std::chrono::steady_clock::now();
    const auto watch = [this](const sweep::sweep_progress& now) {
      last = now;
      most_workers = std::max(most_workers, now.workers);
      if (on_show) on_show(now);
    };
    sweep::record all = sweep::run_pool(asked, watch, settings);
    took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    // No process is left, not even one that nobody has waited for.
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    return all;
  }
  workers_folder folder;
  sweep::request asked;
  sweep::pool_settings settings;
  sweep::listener on_show;
  sweep::sweep_progress last;
  std::size_t most_workers = 0;
  double took = 0;
};

inline std::size_t count_of(const sweep::record& all, sweep::outcome what, std::int64_t engine) {
  return static_cast<std::size_t>(std::count_if(
      all.results.begin(), all.results.end(),
      [&](const sweep::result& one) { return one.what == what && one.with.engine == engine; }));
}

inline const sweep::result* first_of(const sweep::record& all, sweep::outcome what) {
  for (const sweep::result& one : all.results) {
    if (one.what == what) return &one;
  }
  return nullptr;
}

inline int open_files() {
  int count = 0;
  DIR* const directory = ::opendir("/proc/self/fd");
  while (::readdir(directory) != nullptr) ++count;
  ::closedir(directory);
  return count;
}

}  // namespace test
