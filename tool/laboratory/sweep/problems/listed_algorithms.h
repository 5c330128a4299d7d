// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../model/problem.h"

namespace cudnn_checked::sweep {

/// What an operation of the legacy API is proved with (tool/laboratory/recurrent/networks.def,
/// legacy/problems.def), in these types: the same on every machine.
std::vector<problem> listed_with_algorithms(operation what, const std::vector<element>& types);

}  // namespace cudnn_checked::sweep
