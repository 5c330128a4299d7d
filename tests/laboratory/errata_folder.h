// SPDX-License-Identifier: BSD-3-Clause
//
// A folder for an errata file, and a sweep that has a rule to write.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "laboratory/sweep/model/record.h"

namespace test {

namespace sweep = cudnn_checked::sweep;

struct errata_folder {
  std::string path;

  errata_folder() {
    char name[] = "/tmp/cudnn_checked_errata.XXXXXX";
    const char* const made = mkdtemp(name);
    REQUIRE(made != nullptr);
    path = made;
  }
  errata_folder(const errata_folder&) = delete;
  errata_folder& operator=(const errata_folder&) = delete;
  ~errata_folder() {
    for (const char* name : {"rules.json", "link.json", "other.json", "fifo"}) {
      unlink((path + "/" + name).c_str());
    }
    rmdir(path.c_str());  // fails, and the test with it, where something else was left
  }

  std::string file(const char* name = "rules.json") const { return path + "/" + name; }
  void write(const std::string& text, const char* name = "rules.json") const {
    std::ofstream(file(name), std::ios::binary) << text;
  }
  std::string read(const char* name = "rules.json") const {
    std::ifstream stream(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }
};

// An engine that failed for problem 0 of one.
inline sweep::record one_failure(std::int64_t engine = 72) {
  sweep::record seen;
  seen.on.cudnn = {9, 19, 0};
  seen.on.capability = 90;
  seen.problems.resize(1);
  sweep::result r;
  r.with.engine = engine;
  r.what = sweep::outcome::wrong;
  seen.results.push_back(r);
  return seen;
}

}  // namespace test
