// SPDX-License-Identifier: BSD-3-Clause
//
// What a comparison is made of.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "compare.h"

namespace cudnn_checked::sweep {

struct problem_pair {
  std::string text;       ///< to_string(problem)
  std::size_t index = 0;  ///< in the problems of the later sweep
  std::vector<const result*> then;
  std::vector<const result*> now;
};

/// Those that both computed to the end, in the order of the later sweep.  Refers to both.
std::vector<problem_pair> pairs_of(const record& then, const record& now);

/// The rows of the table, the most important first.
std::vector<engine_change> engine_changes(const record& now,
                                          const std::vector<problem_pair>& pairs);

/// Fills in what `all` has of speeds.
void add_speed_changes(const record& now, const std::vector<problem_pair>& pairs, comparison& all);

struct header_row {
  std::string key;   ///< "cudnn", as in the JSON
  std::string what;  ///< "cuDNN"
  std::string then;
  std::string now;
  std::string note;  ///< what a difference means; empty: they are the same, or it is plain
};

/// cuDNN, driver, GPU and the number of problems, always; of all else what differs.
std::vector<header_row> header_of(const comparison& all);

}  // namespace cudnn_checked::sweep
