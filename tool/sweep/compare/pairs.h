// SPDX-License-Identifier: BSD-3-Clause
//
// The problems that two sweeps have in common, each with its results.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../model/record.h"

namespace cudnn_checked::sweep {

struct problem_pair {
  std::string text;       ///< to_string(problem)
  std::size_t index = 0;  ///< in the problems of the later sweep
  std::vector<const result*> then;
  std::vector<const result*> now;
};

/// Those that both computed to the end, in the order of the later sweep.  Refers to both.
std::vector<problem_pair> pairs_of(const record& then, const record& now);

}  // namespace cudnn_checked::sweep
