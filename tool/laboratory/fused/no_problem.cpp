// SPDX-License-Identifier: BSD-3-Clause
//
// In place of problem.cpp, for a program that computes convolutions alone: a seventh of it would be
// graphs and references that it never calls.
#include "problem.h"

namespace cudnn_checked::compute {

fused_problem make_fused_problem(fused_operation what, std::size_t, unsigned long long) {
  fused_problem none;
  none.what = what;
  return none;
}

}  // namespace cudnn_checked::compute
