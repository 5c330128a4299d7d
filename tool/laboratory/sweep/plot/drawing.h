// SPDX-License-Identifier: BSD-3-Clause
//
// What a picture is drawn with: elements of SVG, colours, shapes and words.  Right engines are blue
// and defects orange, which everybody tells apart; each defect has a shape of its own as well.
#pragma once

#include <string>

#include "plot.h"

namespace cudnn_checked::sweep {

/// Text of XML: escaped, without what XML 1.0 does not allow.
std::string escaped(const std::string& text);

/// At most one decimal digit.
std::string coordinate(double value);

/// `style` is a class of the style sheet.
std::string text_at(double x, double y, const char* style, const std::string& text,
                    const char* anchor = "start");
/// `title` is what the pointer shows; empty: nothing.
std::string box_at(double x, double y, double width, double height, const char* style,
                   const std::string& title = {});

constexpr double margin = 24;           ///< of the page
constexpr double text_character = 6.2;  ///< width of a character of 12 px, on average

/// The style sheet.
std::string plot_style();

/// Classes of it.
std::string style_of(plot_fill fill);
const char* style_of(plot_sign sign, bool is_new);

/// For the legend.
const char* words_of(plot_fill fill);
std::string words_of(plot_sign sign, bool is_new);

/// The path of a sign around a point.
std::string shape_of(plot_sign sign, double x, double y, double size);

struct plot_legend {
  std::string text;   ///< elements of SVG
  double bottom = 0;  ///< of its last line
};

/// What the colours and signs of the picture mean, in lines that end at `right`; the first one
/// stands on `top`.
plot_legend legend_of(const plot_grid& grid, double left, double right, double top);

}  // namespace cudnn_checked::sweep
