// SPDX-License-Identifier: BSD-3-Clause
//
// The words of a comparison that sweep_compare.cpp does not come across.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "laboratory/sweep/compare/compare.h"
#include "sweep_record.h"

namespace compared_text {

using namespace cudnn_checked::sweep;

/// A comparison of two empty sweeps.
struct two_sweeps {
  record then = test::h200_record();
  record now = test::h200_record();
  cudnn_checked::sweep::comparison all;

  two_sweeps() {
    all.then = {&then, "then.json", "0.1.0"};
    all.now = {&now, "now.json", "0.1.0"};
    all.compared = 9;
  }
  two_sweeps(const two_sweeps&) = delete;
  two_sweeps& operator=(const two_sweeps&) = delete;

  engine_change& add(change what, std::size_t wrong_then, std::size_t wrong_now) {
    engine_change row;
    row.what = what;
    row.engine = 72;
    row.problems = 2;
    row.then = {4, 0, wrong_then, reach::offered, outcome::right};
    row.now = {5, 0, wrong_now, reach::by_index, outcome::right};
    row.example = "1x4x5x1 * 16x4x3x3";
    all.engines.push_back(row);
    return all.engines.back();
  }
  /// What stands between the header and the verdict.
  std::string body() const {
    const std::string text = text_of(all);
    const std::size_t begin = text.find("\n", text.find("  problems:   ")) + 1;
    return text.substr(begin, text.find("cudnn-checked: ", begin) - begin);
  }
};

TEST_CASE("what became of engines has a heading each") {
  two_sweeps made;
  made.add(change::met_by_more, 1, 2);
  engine_change& still = made.add(change::still_wrong, 2, 3);
  still.defect = outcome::wrong;
  still.relative_error = INFINITY;
  engine_change& fatal = made.add(change::no_longer_fatal, 0, 1);
  fatal.then.fatal = 3;
  fatal.defect = outcome::unwritten;
  made.add(change::newly_supported, 0, 0).then.problems = 0;
  CHECK(made.body() == R"(  wrong as it was, but met by more programs: 1
    fwd   engine 72   fp32 nchw   by-index   1 wrong of 4 -> 2 wrong of 5   1x4x5x1 * 16x4x3x3
  wrong as it was, at another number of problems: 1
    fwd   engine 72   fp32 nchw   by-index   2 wrong of 4 -> 3 wrong of 5   1x4x5x1 * 16x4x3x3: wrong, not finite
  does not die or hang any more, but is wrong: 1
    fwd   engine 72   fp32 nchw   by-index   3 died or hung of 4 -> 1 wrong of 5   1x4x5x1 * 16x4x3x3: unwritten
  newly supported: 1
    fwd   engine 72   fp32 nchw   2 problems   not supported -> 5 right   1x4x5x1 * 16x4x3x3
)");
}

TEST_CASE("long lists of engines and of problems are cut") {
  two_sweeps made;
  for (int i = 0; i < 21; ++i) made.add(change::newly_wrong, 0, 1);
  for (int i = 0; i < 10; ++i) made.add(change::no_longer_supported, 0, 0);
  for (int i = 0; i < 6; ++i) made.all.gained.push_back("fwd " + std::to_string(i));
  const std::string text = made.body();
  CHECK(text.find("  wrong now, and was not: 21\n") == 0);
  CHECK(text.find("\n    and 1 more\n  no longer supported: 10\n") != std::string::npos);
  CHECK(text.find("\n    and 2 more\n  a right engine now, and had none: 6 problems\n"
                  "    fwd 0\n    fwd 1\n    fwd 2\n    fwd 3\n    fwd 4\n    and 1 more\n") !=
        std::string::npos);
}

TEST_CASE("times that changed") {
  two_sweeps made;
  made.all.timed = 9;
  made.all.groups = {{"all", 9, 1}, {"fwd fp16 nchw", 3, 1.4}, {"fwd fp32 nchw", 1, 0.5}};
  made.all.slower = {{"fwd fp16 nchw 1x4x5x1 * 16x4x3x3", 7, 4, 10, 50, 5}};
  for (int i = 0; i < 6; ++i) made.all.faster.push_back({"fwd", 7, 7, 50, 10, 0.2});
  CHECK(made.body() ==
        R"(  time of the fastest right engine, now beside then (median):
    all             1.00 times   9 problems
    fwd fp16 nchw   1.40 times   3 problems
    fwd fp32 nchw   0.50 times   1 problem
  slower, by 1.50 times or more: 1 problem
    5.00 times   engine 7 10.0 us -> engine 4 50.0 us   fwd fp16 nchw 1x4x5x1 * 16x4x3x3
  faster, by 1.50 times or more: 6 problems
    0.20 times   engine 7 50.0 us -> engine 7 10.0 us   fwd
    0.20 times   engine 7 50.0 us -> engine 7 10.0 us   fwd
    0.20 times   engine 7 50.0 us -> engine 7 10.0 us   fwd
    0.20 times   engine 7 50.0 us -> engine 7 10.0 us   fwd
    0.20 times   engine 7 50.0 us -> engine 7 10.0 us   fwd
    and 1 more
)");
}

TEST_CASE("in what else two sweeps differ") {
  two_sweeps made;
  made.then.on.gpu = "";
  made.then.on.gpu_uuid = "GPU-1";
  made.now.on.gpu_uuid = "GPU-2";
  made.now.on.cudart = {12, 9, 0};
  made.all.now.package = "0.2.0";
  made.now.asked.operations = {operation::forward, operation::filter_gradient};
  made.now.asked.types = {cudnn_checked::element::bf16};
  made.now.asked.worker_bytes = 1U << 20;
  made.now.asked.plan_seconds = 2.5;
  made.then.asked.errata = "one";
  made.now.asked.errata = "two";
  made.now.interrupted = true;
  CHECK(text_of(made.all) ==
        R"(comparison of then.json (then) with now.json (now), at 9 problems
                       then              now
  cuDNN:               9.19.0            9.19.0
  driver:              CUDA 13.0         CUDA 13.0
  GPU:                 unknown           NVIDIA H200 (sm_90)
  problems:            0                 0
  GPU's UUID:          GPU-1             GPU-2                 another GPU
  CUDA of cuDNN:       13.0              12.9
  cudnn-checked:       0.1.0             0.2.0                 problems and rules may differ
  operations:          fwd,dgrad,wgrad   fwd,wgrad
  types:               fp32,fp16,bf16    bf16
  memory a worker:     1024 MiB          1 MiB                 what is supported depends on it
  time limit:          10 s              2.5 s                 what hangs depends on it
  errata file:         one               another               plans that it blocks are not compared
  ended by a signal:   no                yes
cudnn-checked: ok: no engine got worse at the 9 problems of both sweeps
)");
}

}  // namespace compared_text
