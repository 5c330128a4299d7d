// SPDX-License-Identifier: BSD-3-Clause
//
// Engines by problems, as a picture that stands alone: SVG without scripts, fonts or anything else
// from outside.
#pragma once

#include <string>

#include "../compare/compare.h"

namespace cudnn_checked::sweep {

/// Right, wrong, unsupported; right ones as fast as they are beside the fastest of the problem.
std::string plot_of(const side& sweep);

/// What changed.
std::string plot_of(const comparison& all);

}  // namespace cudnn_checked::sweep
