// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../model/record.h"
#include "judge.h"

namespace cudnn_checked::sweep {

/// The rows of a record, the most likely to be met first, then by the number of failed problems.
/// Their weight and what is known of them is for the caller to fill in.
std::vector<row> rows_of(const record& of);

/// Engines with plans that are inexact, by operation and number.
std::vector<inexact_engine> inexact_engines_of(const record& of);

}  // namespace cudnn_checked::sweep
