// SPDX-License-Identifier: BSD-3-Clause
//
// The long part of a report: each problem with what came of each plan, a line a problem.
#pragma once

#include <cstddef>
#include <string>

#include "../model/record.h"

namespace cudnn_checked::sweep {

struct problem_lines {
  std::string text;          ///< elements of a JSON array, with the commas between them
  std::size_t left_out = 0;  ///< problems
};

problem_lines problem_lines_of(const record& of, std::size_t most);

}  // namespace cudnn_checked::sweep
