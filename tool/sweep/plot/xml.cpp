// SPDX-License-Identifier: BSD-3-Clause
#include "xml.h"

#include <algorithm>
#include <cstdio>

#include "../../core/json/json_writer.h"

namespace cudnn_checked::sweep {

std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const std::string one = text.substr(i, std::max<std::size_t>(length, 1));
    i += one.size();
    const auto byte = static_cast<unsigned char>(one[0]);
    const bool is_text = length > 0 && byte >= 0x20 && byte != 0x7f && one != "\xEF\xBF\xBE" &&
                         one != "\xEF\xBF\xBF";
    if (!is_text) {
      out += '?';
    } else if (one == "&") {
      out += "&amp;";
    } else if (one == "<") {
      out += "&lt;";
    } else if (one == ">") {
      out += "&gt;";
    } else if (one == "\"") {
      out += "&quot;";
    } else {
      out += one;
    }
  }
  return out;
}

std::string coordinate(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string digits = text;
  if (digits.size() > 2 && digits.compare(digits.size() - 2, 2, ".0") == 0) {
    digits.resize(digits.size() - 2);
  }
  return digits == "-0" ? "0" : digits;
}

std::string text_at(double x, double y, const char* style, const std::string& text,
                    const char* anchor) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" class=\"" + style + "\"" +
         (std::string(anchor) == "start" ? "" : std::string(" text-anchor=\"") + anchor + "\"") +
         ">" + escaped(text) + "</text>\n";
}

std::string box_at(double x, double y, double width, double height, const char* style,
                   const std::string& title) {
  const std::string box = "<rect x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" width=\"" +
                          coordinate(width) + "\" height=\"" + coordinate(height) + "\" class=\"" +
                          style + "\"";
  return title.empty() ? box + "/>\n" : box + "><title>" + escaped(title) + "</title></rect>\n";
}

}  // namespace cudnn_checked::sweep
