// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "../model/problem.h"

namespace cudnn_checked::sweep {

/// The networks that an operation is proved with (tool/laboratory/recurrent/networks.def), in these
/// types: the same on every machine.
std::vector<problem> listed_networks(operation what, const std::vector<element>& types);

}  // namespace cudnn_checked::sweep
