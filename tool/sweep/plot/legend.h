// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "grid.h"

namespace cudnn_checked::sweep {

struct plot_legend {
  std::string text;   ///< elements of SVG
  double bottom = 0;  ///< of its last line
};

/// What the colours and signs of the picture mean, in lines that end at `right`; the first one
/// stands on `top`.
plot_legend legend_of(const plot_grid& grid, double left, double right, double top);

}  // namespace cudnn_checked::sweep
