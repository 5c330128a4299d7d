// SPDX-License-Identifier: BSD-3-Clause
//
// Elements of SVG.
#pragma once

#include <string>

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

}  // namespace cudnn_checked::sweep
