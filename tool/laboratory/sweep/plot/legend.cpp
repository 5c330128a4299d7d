// SPDX-License-Identifier: BSD-3-Clause
#include <set>
#include <utility>

#include "drawing.h"

namespace cudnn_checked::sweep {

plot_legend legend_of(const plot_grid& grid, double left, double right, double top) {
  std::set<plot_fill> fills;
  std::set<std::pair<bool, plot_sign>> signs;  // new ones first
  for (const plot_panel& panel : grid.panels) {
    for (const plot_block& block : panel.blocks) {
      for (const std::vector<plot_fill>& row : block.cells) fills.insert(row.begin(), row.end());
      for (const plot_mark& mark : block.marks) signs.emplace(!mark.is_new, mark.sign);
    }
  }
  fills.erase(plot_fill::none);

  plot_legend made;
  double x = left;
  made.bottom = top;
  const auto new_line = [&] {
    if (x > left) made.bottom += 20;
    x = left;
  };
  // A sample, which is so wide, and its words; a line wraps where the page ends.
  const auto add = [&](double room, const std::string& words, const auto& sample) {
    const double width = text_character * static_cast<double>(words.size());
    if (x > left && x + 20 + width > right) new_line();
    made.text += sample() + text_at(x + room, made.bottom, "legend", words);
    x += room + width + 18;
  };
  const auto add_fill = [&](plot_fill fill) {
    add(20, words_of(fill), [&] {
      return fill == plot_fill::none
                 ? box_at(x, made.bottom - 9, 14, 11, "empty")
                 : "<g class=\"cells\" transform=\"translate(" + coordinate(x) + " " +
                       coordinate(made.bottom - 3.5) + ") scale(14 11)\"><path class=\"" +
                       style_of(fill) + "\" d=\"M0 0h1\"/></g>\n";
    });
  };
  for (const plot_fill fill : fills) add_fill(fill);
  add_fill(plot_fill::none);
  new_line();
  for (const auto& each : signs) {
    const plot_sign sign = each.second;
    const bool is_new = !each.first;
    add(20, words_of(sign, is_new), [&] {
      return std::string("<path class=\"") + style_of(sign, is_new) + "\" d=\"" +
             shape_of(sign, x + 7, made.bottom - 3.5, 11) + "\"/>\n";
    });
  }
  new_line();
  const auto nothing = [] { return std::string(); };
  add(0, std::string("rows: engines; columns: problems, ") + column_order, nothing);
  add(0, "line above the rows: " + grid.strip, nothing);
  return made;
}

}  // namespace cudnn_checked::sweep
