// SPDX-License-Identifier: BSD-3-Clause
//
// Smaller problems than one that fails.
#pragma once

#include <cstdint>
#include <vector>

#include "../model/problem.h"

namespace cudnn_checked::sweep {

/// A number that a problem consists of, and the least that it can be: an extent, a padding, a flag.
struct problem_size {
  std::int64_t value;
  std::int64_t least;
};

std::vector<problem_size> sizes_of(const problem& p);

/// The same problem with other numbers.  False: there is no such problem.
bool with_sizes(const problem& p, const std::vector<std::int64_t>& sizes, problem& made);

}  // namespace cudnn_checked::sweep
