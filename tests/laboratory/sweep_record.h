// SPDX-License-Identifier: BSD-3-Clause
//
// Records of sweeps that nobody ran, for tests of what is made of them.
#pragma once

#include <initializer_list>
#include <string>

#include "laboratory/sweep/model/record.h"

namespace test {

/// A sweep of cuDNN 9.19.0 on an H200.
inline cudnn_checked::sweep::record h200_record() {
  cudnn_checked::sweep::record made;
  made.asked.library = "/opt/cudnn/lib/libcudnn.so.9";
  made.on.cudnn = {9, 19, 0};
  made.on.cudart = {13, 0, 0};
  made.on.driver = {13, 0, 0};
  made.on.gpu = "NVIDIA H200";
  made.on.gpu_uuid = "GPU-00000000-0000-0000-0000-000000000000";
  made.on.capability = 90;
  made.seconds = 60;
  return made;
}

/// Adds a problem, as it is printed.
inline void add_problem(cudnn_checked::sweep::record& to, const std::string& text) {
  to.problems.emplace_back();
  (void)cudnn_checked::sweep::read_problem(text, to.problems.back());
}

/// Adds a result to the last problem.  An offer is "A1", "B2", "F3"; a knob {2, 14}.
inline cudnn_checked::sweep::result& add_result(
    cudnn_checked::sweep::record& to, std::int64_t engine, cudnn_checked::sweep::outcome what,
    std::initializer_list<const char*> offers = {},
    std::initializer_list<cudnn_checked::sweep::knob> knobs = {}) {
  using cudnn_checked::sweep::heuristic;
  cudnn_checked::sweep::result r;
  r.problem = to.problems.size() - 1;
  r.with.engine = engine;
  r.with.knobs = knobs;
  r.with.math = cudnn_checked::convolution_math::fma;
  r.what = what;
  r.relative_error = 1e-7;
  r.element_error = 1e-7;
  r.tolerance = 3e-6;
  r.elements = 768;
  r.microseconds = 12.5;
  r.alignment = 256;
  for (const std::string offer : offers) {
    const heuristic mode = offer[0] == 'A'   ? heuristic::a
                           : offer[0] == 'B' ? heuristic::b
                                             : heuristic::fallback;
    r.with.offers.push_back({mode, offer[1] - '0'});
  }
  if (what == cudnn_checked::sweep::outcome::wrong) {
    r.relative_error = 1.49;
    r.element_error = 0.53;
  }
  to.results.push_back(r);
  return to.results.back();
}

/// A data gradient that engine 78 computes wrong and engine 4 right.
inline cudnn_checked::sweep::record one_wrong_engine() {
  cudnn_checked::sweep::record made = h200_record();
  add_problem(made, "dgrad fp32 nchw 1x32x11x7 * 16x32x5x5, padding 2");
  add_result(made, 4, cudnn_checked::sweep::outcome::right, {"A1"});
  add_result(made, 78, cudnn_checked::sweep::outcome::wrong, {"F3"}, {{2, 14}});
  return made;
}

}  // namespace test
