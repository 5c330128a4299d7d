// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "../model/problem.h"
#include "../model/request.h"

namespace cudnn_checked::sweep {

/// Problem number `index` of the list that a request stands for.  The list has no end, and is the
/// same on every machine.
problem problem_at(const request& asked, std::size_t index);

}  // namespace cudnn_checked::sweep
