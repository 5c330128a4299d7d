// SPDX-License-Identifier: BSD-3-Clause
#include "drawing.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "../../../core/json/json_writer.h"
#include "../text/text.h"

namespace cudnn_checked::sweep {

std::string escaped(const std::string& text) {
  static constexpr const char* entities[][2] = {
      {"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const std::string one = text.substr(i, std::max<std::size_t>(length, 1));
    i += one.size();
    const auto byte = static_cast<unsigned char>(one[0]);
    const bool is_text = length > 0 && byte >= 0x20 && byte != 0x7f && one != "\xEF\xBF\xBE" &&
                         one != "\xEF\xBF\xBF";
    const auto entity = std::find_if(std::begin(entities), std::end(entities),
                                     [&](const auto& known) { return one == known[0]; });
    out += !is_text ? "?" : entity == std::end(entities) ? one : (*entity)[1];
  }
  return out;
}

std::string coordinate(double value) {
  std::string digits = formatted("%.1f", value);
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

std::string plot_style() {
  return R"(text { fill: #1f2328; font: 12px system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif }
.title { font-size: 19px; font-weight: 600 } .panel { font-size: 13px; font-weight: 600 }
.type { font-size: 10px; font-weight: 600 } .layout { font-size: 9px; fill: #59636e }
.row { font-size: 8px; fill: #59636e } .bad { font-size: 9px; font-weight: 700; fill: #b83a00 }
.page { fill: #ffffff } .empty { fill: #eef0f3 } .p { fill: #ffffff; fill-opacity: 0 }
.break { stroke: #ffffff; stroke-width: 1 } .cells path { fill: none; stroke-width: .88 }
.f1 { stroke: #08417f } .f2 { stroke: #2f76b8 } .f3 { stroke: #6ba6d6 } .f4 { stroke: #a3c8e6 }
.f5 { stroke: #c9dced } .f6 { stroke: #b9c0c8 } .f7 { stroke: #d3d8de } .f8 { stroke: #2f76b8 }
.f9 { stroke: #8a5a9e } .f10 { stroke: #7fc4c4 } .f11 { stroke: #8b949e }
.s { fill: #d94801; stroke: #ffffff; stroke-width: .5 }
.d { fill: #1f2328; stroke: #ffffff; stroke-width: .5 }
.o { fill: #ffffff; stroke: #d94801; stroke-width: 1 } .m { fill: #0b6e4f; stroke: #ffffff; stroke-width: .5 }
@media (prefers-color-scheme: dark) {
  text { fill: #d1d7e0 } .layout, .row { fill: #9198a1 } .bad { fill: #ff9a52 }
  .page { fill: #0d1117 } .break { stroke: #0d1117 } .empty { fill: #1b222b }
  .f1 { stroke: #a5d3ff } .f2 { stroke: #5fa8ea } .f3 { stroke: #3b7cba } .f4 { stroke: #2b5785 }
  .f5 { stroke: #264059 } .f6 { stroke: #4a525c } .f7 { stroke: #39424d } .f8 { stroke: #5fa8ea }
  .f9 { stroke: #b98ccc } .f10 { stroke: #2f8f8f } .f11 { stroke: #6e7681 }
  .s { fill: #ff8c3b; stroke: #0d1117 } .d { fill: #ffffff; stroke: #0d1117 }
  .o { fill: #0d1117; stroke: #ff8c3b } .m { fill: #56d4a0; stroke: #0d1117 }
}
)";
}

std::string style_of(plot_fill fill) { return "f" + std::to_string(static_cast<int>(fill)); }

const char* style_of(plot_sign sign, bool is_new) {
  if (sign == plot_sign::mended) return "m";
  if (!is_new) return "o";
  return sign == plot_sign::died || sign == plot_sign::hung ? "d" : "s";
}

const char* words_of(plot_fill fill) {
  static constexpr const char* words[plot_fills] = {"not supported",    "fastest, up to 1.1 times",
                                                    "up to 1.5 times",  "up to 2.5 times",
                                                    "up to 5 times",    "more",
                                                    "right, not timed", "unchanged",
                                                    "faster",           "slower",
                                                    "newly supported",  "no longer supported"};
  return words[static_cast<std::size_t>(fill)];
}

std::string words_of(plot_sign sign, bool is_new) {
  static constexpr const char* words[plot_signs] = {
      "wrong numbers", "elements not written", "wrote outside", "changing results",
      "call failed",   "process died",         "hung",          "no longer wrong"};
  const std::string word = words[static_cast<std::size_t>(sign)];
  return is_new ? word : word + ", as before";
}

/// "M" and points, in tenths of the size around the middle.
template <std::size_t count>
static std::string outline(const int (&points)[count][2], double x, double y, double size) {
  std::string text;
  for (const int(&point)[2] : points) {
    text += (text.empty() ? "M" : "L") + formatted("%.1f ", x + point[0] * size / 20) +
            formatted("%.1f", y + point[1] * size / 20);
  }
  return text + "z";
}

static std::string circle(double x, double y, double radius) {
  char text[96];
  std::snprintf(text, sizeof text, "M%.1f %.1fa%.1f %.1f 0 1 0 %.1f 0a%.1f %.1f 0 1 0 %.1f 0z",
                x - radius, y, radius, radius, 2 * radius, radius, radius, -2 * radius);
  return text;
}

std::string shape_of(plot_sign sign, double x, double y, double size) {
  static constexpr int cross[][2] = {{-10, -6}, {-6, -10}, {0, -4}, {6, -10}, {10, -6}, {4, 0},
                                     {10, 6},   {6, 10},   {0, 4},  {-6, 10}, {-10, 6}, {-4, 0}};
  static constexpr int frame[][2] = {{-9, -9}, {9, -9}, {9, 9}, {-9, 9}};
  static constexpr int hole[][2] = {{-4, -4}, {-4, 4}, {4, 4}, {4, -4}};
  static constexpr int diamond[][2] = {{0, -11}, {11, 0}, {0, 11}, {-11, 0}};
  static constexpr int hourglass[][2] = {{-9, -9}, {9, -9}, {-9, 9}, {9, 9}};
  static constexpr int triangle[][2] = {{0, -10}, {10, 9}, {-10, 9}};
  static constexpr int left_bar[][2] = {{-8, -10}, {-2, -10}, {-2, 10}, {-8, 10}};
  static constexpr int right_bar[][2] = {{2, -10}, {8, -10}, {8, 10}, {2, 10}};
  static constexpr int tick[][2] = {{-10, 0}, {-7, -4}, {-3, 2}, {7, -9}, {10, -6}, {-3, 9}};
  switch (sign) {
    case plot_sign::wrong:
      return outline(cross, x, y, size);
    case plot_sign::unwritten:
      return outline(frame, x, y, size) + outline(hole, x, y, size);
    case plot_sign::outside:
      return outline(diamond, x, y, size);
    case plot_sign::changing:
      return outline(hourglass, x, y, size);
    case plot_sign::failed:
      return outline(triangle, x, y, size);
    case plot_sign::died:
      return circle(x, y, size / 2);
    case plot_sign::hung:
      return outline(left_bar, x, y, size) + outline(right_bar, x, y, size);
    case plot_sign::mended:
      break;
  }
  return outline(tick, x, y, size);
}

}  // namespace cudnn_checked::sweep
