// SPDX-License-Identifier: BSD-3-Clause
//
// Colours, shapes and words of a picture.  Right engines are blue and defects orange, which
// everybody tells apart; each defect has a shape of its own as well.
#pragma once

#include <string>

#include "grid.h"

namespace cudnn_checked::sweep {

/// The style sheet.
std::string plot_style();

/// Classes of it.
const char* style_of(plot_fill fill);
const char* style_of(plot_sign sign, bool is_new);

/// For the legend.
const char* words_of(plot_fill fill);
std::string words_of(plot_sign sign, bool is_new);

/// The path of a sign around a point.
std::string shape_of(plot_sign sign, double x, double y, double size);

}  // namespace cudnn_checked::sweep
