// SPDX-License-Identifier: BSD-3-Clause
//
// In what two sweeps differ before anything is compared.
#pragma once

#include <string>
#include <vector>

#include "compare.h"

namespace cudnn_checked::sweep {

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
