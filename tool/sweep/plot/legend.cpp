// SPDX-License-Identifier: BSD-3-Clause
#include <set>
#include <utility>

#include "drawing.h"

namespace cudnn_checked::sweep {

/// One line; wraps where the page ends.
class legend_writer {
 public:
  legend_writer(double left, double right, double top)
      : left_(left), right_(right), x_(left), y_(top) {}

  void add_fill(plot_fill fill) {
    const std::string words = words_of(fill);
    begin(words);
    if (fill == plot_fill::none) {
      text_ += box_at(x_, y_ - 9, 14, 11, "empty");
    } else {
      text_ += "<g class=\"cells\" transform=\"translate(" + coordinate(x_) + " " +
               coordinate(y_ - 3.5) + ") scale(14 11)\"><path class=\"" + style_of(fill) +
               "\" d=\"M0 0h1\"/></g>\n";
    }
    end(words);
  }
  void add_sign(plot_sign sign, bool is_new) {
    const std::string words = words_of(sign, is_new);
    begin(words);
    text_ += std::string("<path class=\"") + style_of(sign, is_new) + "\" d=\"" +
             shape_of(sign, x_ + 7, y_ - 3.5, 11) + "\"/>\n";
    end(words);
  }
  void add_text(const std::string& words) {
    begin(words);
    text_ += text_at(x_, y_, "legend", words);
    x_ += text_width(words) + 18;
  }
  void new_line() {
    if (x_ == left_) return;
    x_ = left_;
    y_ += 20;
  }
  const std::string& text() const { return text_; }
  double bottom() const { return y_; }

 private:
  static double text_width(const std::string& words) {
    return text_character * static_cast<double>(words.size());
  }
  void begin(const std::string& words) {
    if (x_ > left_ && x_ + 20 + text_width(words) > right_) new_line();
  }
  void end(const std::string& words) {
    text_ += text_at(x_ + 20, y_, "legend", words);
    x_ += 20 + text_width(words) + 18;
  }

  double left_;
  double right_;
  double x_;
  double y_;
  std::string text_;
};

plot_legend legend_of(const plot_grid& grid, double left, double right, double top) {
  legend_writer legend(left, right, top);
  std::set<plot_fill> fills;
  std::set<std::pair<bool, plot_sign>> signs;  // new ones first
  for (const plot_panel& panel : grid.panels) {
    for (const plot_block& block : panel.blocks) {
      for (const std::vector<plot_fill>& row : block.cells) fills.insert(row.begin(), row.end());
      for (const plot_mark& mark : block.marks) signs.emplace(!mark.is_new, mark.sign);
    }
  }
  fills.erase(plot_fill::none);
  for (const plot_fill fill : fills) legend.add_fill(fill);
  legend.add_fill(plot_fill::none);
  legend.new_line();
  for (const auto& [is_old, sign] : signs) legend.add_sign(sign, !is_old);
  legend.new_line();
  legend.add_text(std::string("rows: engines") + "; columns: problems, " + column_order);
  legend.add_text("line above the rows: " + grid.strip);
  return {legend.text(), legend.bottom()};
}

}  // namespace cudnn_checked::sweep
