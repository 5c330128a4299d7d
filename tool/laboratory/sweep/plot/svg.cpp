// SPDX-License-Identifier: BSD-3-Clause
//
// A grid as SVG.  Everything in it is a path or a text; cells of one colour are one path of a
// block, in units of cells, so that a picture of 90 engines and 1000 problems has some 100 KB.
#include <algorithm>
#include <array>
#include <cmath>

#include "../text/text.h"
#include "drawing.h"

namespace cudnn_checked::sweep {

static constexpr double widest_grid = 1440;
static constexpr double widest_cell = 16;
static constexpr double narrowest_block = 34;
static constexpr double label_width = 34;  ///< of the numbers of engines
static constexpr double block_gap = 5;
static constexpr double panel_gap = 26;
static constexpr double tallest_row = 16;
static constexpr double tallest_grid = 760;
static constexpr double lowest_row = 8;
static constexpr double head_height = 46;  ///< of a panel: its title, types, layouts
static constexpr double strip_height = 7;
static constexpr double strip_gap = 4;
static constexpr double narrowest_panel = 190;  // "filter gradient (wgrad)"
static constexpr double narrowest_page = 720;
static constexpr double title_character = 11.5;  // on average, and rather more

/// Sizes that hold for the whole picture.
struct plot_scale {
  double cell = widest_cell;
  double row = tallest_row;
};

static plot_scale scale_of(const plot_grid& grid) {
  std::size_t columns = 0;
  std::size_t rows = 1;
  double width = widest_grid;
  for (const plot_panel& panel : grid.panels) {
    width -= label_width + panel_gap;
    rows = std::max(rows, panel.rows.size());
    for (const plot_block& block : panel.blocks) {
      columns += block.titles.size();
      width -= block_gap;
    }
  }
  plot_scale scale;
  if (columns > 0) scale.cell = std::min(widest_cell, width / static_cast<double>(columns));
  scale.row = std::clamp(tallest_grid / static_cast<double>(rows), lowest_row, tallest_row);
  return scale;
}

static double width_of(const plot_block& block, const plot_scale& scale) {
  return std::max(narrowest_block, scale.cell * static_cast<double>(block.titles.size()));
}

static double width_of(const plot_panel& panel, const plot_scale& scale) {
  double width = label_width - block_gap;
  for (const plot_block& block : panel.blocks) width += width_of(block, scale) + block_gap;
  return std::max(width, narrowest_panel);
}

/// Runs of cells with the same fill, as one path for each fill.
static std::string fills_path(const std::vector<std::vector<plot_fill>>& rows) {
  std::array<std::string, plot_fills> paths;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t begin = 0; begin < rows[row].size();) {
      std::size_t end = begin + 1;
      while (end < rows[row].size() && rows[row][end] == rows[row][begin]) ++end;
      paths[static_cast<std::size_t>(rows[row][begin])] += "M" + std::to_string(begin) + " " +
                                                           std::to_string(row) + "h" +
                                                           std::to_string(end - begin);
      begin = end;
    }
  }
  std::string text;
  for (std::size_t i = 1; i < plot_fills; ++i) {
    if (paths[i].empty()) continue;
    text +=
        "<path class=\"" + style_of(static_cast<plot_fill>(i)) + "\" d=\"" + paths[i] + "\"/>\n";
  }
  return text;
}

/// In units of cells, whose rows are lines of that width.
static std::string cells_of(const std::vector<std::vector<plot_fill>>& rows, double x, double y,
                            double cell, double row) {
  return "<g class=\"cells\" transform=\"translate(" + formatted("%.1f ", x) +
         formatted("%.2f) scale(", y + row / 2) + formatted("%.4f ", cell) +
         formatted("%.3f)", row) + "\">\n" + fills_path(rows) + "</g>\n";
}

/// `left`: of its first column.  One that stands for several has a line from the first to the last.
static std::string mark_at(const plot_mark& mark, double left, double y, double cell, double size) {
  const double width = cell * static_cast<double>(mark.columns);
  std::string shape = shape_of(mark.sign, left + width / 2, y, size);
  std::string title = mark.title;
  if (mark.count > 1) {
    shape += "M" + coordinate(left) + " " + coordinate(y - 1) + "h" + coordinate(width) + "v2h-" +
             coordinate(width) + "z";
    title += "; and " + std::to_string(mark.count - 1) + " more up to the right end of the line";
  }
  return std::string("<path class=\"") + style_of(mark.sign, mark.is_new) + "\" d=\"" + shape +
         "\"><title>" + escaped(title) + "</title></path>\n";
}

/// What the pointer shows where nothing more particular is under it.
static std::string row_title(const plot_panel& panel, const plot_block& block, std::size_t row) {
  const std::vector<plot_fill>& cells = block.cells[row];
  const auto supported = cells.size() - static_cast<std::size_t>(std::count(
                                            cells.begin(), cells.end(), plot_fill::none));
  const auto fastest = std::count(cells.begin(), cells.end(), plot_fill::fastest);
  std::string text = "engine " + std::to_string(panel.rows[row].engine) + ", " +
                     to_string(panel.what) + " " + cudnn_checked::to_string(block.type) + " " +
                     layout_name(panel.what, block.layout) + ": at " + std::to_string(supported) +
                     " of " + std::to_string(cells.size()) + " columns";
  if (fastest > 0) text += ", among the fastest at " + std::to_string(fastest);
  return text;
}

/// Lines between the kinds of problems.
static std::string breaks_of(const plot_block& block, double x, double y, double cell,
                             double height) {
  std::string path;
  for (const std::size_t column : block.breaks) {
    path += "M" + coordinate(x + cell * static_cast<double>(column)) + " " + coordinate(y) + "v" +
            coordinate(height);
  }
  return path.empty() ? path : "<path class=\"break\" d=\"" + path + "\"/>\n";
}

static std::string block_svg(const plot_panel& panel, const plot_block& block, double x, double y,
                             const plot_scale& scale, bool has_strip) {
  const double width = width_of(block, scale);
  const double cell = width / static_cast<double>(block.titles.size());
  const double middle = x + width / 2;
  std::string text =
      text_at(middle, y - 18, "type", cudnn_checked::to_string(block.type), "middle");
  text += text_at(middle, y - 7, "layout", layout_name(panel.what, block.layout), "middle");
  const double rows = y + (has_strip ? strip_height + strip_gap : 0);
  const double height = scale.row * static_cast<double>(panel.rows.size());
  text += box_at(x, rows, width, height, "empty");
  text += cells_of(block.cells, x, rows, cell, scale.row);
  text += breaks_of(block, x, rows, cell, height);
  if (has_strip) {
    text += box_at(x, y, width, strip_height, "empty");
    text += cells_of({block.strip}, x, y, cell, strip_height);
    for (std::size_t i = 0; i < block.titles.size(); ++i) {
      text +=
          box_at(x + cell * static_cast<double>(i), y, cell, strip_height, "p", block.titles[i]);
    }
  }
  for (std::size_t row = 0; row < panel.rows.size(); ++row) {
    const double top = rows + scale.row * static_cast<double>(row);
    if (block.notes.empty()) {
      const std::vector<plot_fill>& fills = block.cells[row];
      const bool is_empty = all_of(fills, [](plot_fill fill) { return fill == plot_fill::none; });
      if (!is_empty) text += box_at(x, top, width, scale.row, "p", row_title(panel, block, row));
      continue;
    }
    for (std::size_t i = 0; i < block.notes[row].size(); ++i) {
      if (block.notes[row][i].empty()) continue;
      text +=
          box_at(x + cell * static_cast<double>(i), top, cell, scale.row, "p", block.notes[row][i]);
    }
  }
  for (const plot_mark& mark : block.marks) {
    text += mark_at(mark, x + cell * static_cast<double>(mark.column),
                    rows + scale.row * (static_cast<double>(mark.row) + 0.5), cell, scale.row - 1);
  }
  return text;
}

static const char* name_of(operation what) {
  static constexpr const char* names[] = {"forward (fwd)", "data gradient (dgrad)",
                                          "filter gradient (wgrad)"};
  return is_fused(what) ? to_string(what) : names[static_cast<int>(what)];
}

static std::string panel_svg(const plot_panel& panel, double x, double y, const plot_scale& scale,
                             bool has_strip) {
  std::string text = text_at(x + label_width, y + 12, "panel", name_of(panel.what));
  text += text_at(x + label_width - 5, y + head_height - 7, "layout", "engine", "end");
  const double top = y + head_height;
  const double rows = top + (has_strip ? strip_height + strip_gap : 0);
  for (std::size_t i = 0; i < panel.rows.size(); ++i) {
    const double line = rows + scale.row * (static_cast<double>(i) + 0.5) + 3;
    text +=
        text_at(x + label_width - 5, line, panel.rows[i].has_defect ? "bad" : "row",
                panel.rows[i].engine < 0 ? "asking" : std::to_string(panel.rows[i].engine), "end");
  }
  double left = x + label_width;
  for (const plot_block& block : panel.blocks) {
    text += block_svg(panel, block, left, top, scale, has_strip);
    left += width_of(block, scale) + block_gap;
  }
  return text;
}

static std::string page(const plot_grid& grid, const std::string& body, double width,
                        double height) {
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + coordinate(width) +
                     "\" height=\"" + coordinate(height) + "\" viewBox=\"0 0 " + coordinate(width) +
                     " " + coordinate(height) + "\" role=\"img\">\n<title>" + escaped(grid.title) +
                     "</title>\n<style>\n" + plot_style() + "</style>\n" +
                     box_at(0, 0, width, height, "page");
  text += text_at(margin, 34, "title", grid.title);
  for (std::size_t i = 0; i < grid.subtitle.size(); ++i) {
    text += text_at(margin, 54 + 17 * static_cast<double>(i), "legend", grid.subtitle[i]);
  }
  return text + body + "</svg>\n";
}

/// Room for its words; a name may be of any length, but a page is not.
static double narrowest_of(const plot_grid& grid) {
  double width = title_character * static_cast<double>(grid.title.size());
  for (const std::string& line : grid.subtitle) {
    width = std::max(width, text_character * static_cast<double>(line.size()));
  }
  return std::clamp(std::ceil(width + 2 * margin), narrowest_page, widest_grid);
}

std::string svg_of(const plot_grid& grid) {
  const plot_scale scale = scale_of(grid);
  const double top = 60 + 17 * static_cast<double>(grid.subtitle.size());
  double left = margin;
  std::size_t rows = 0;
  std::string body;
  for (const plot_panel& panel : grid.panels) {
    body += panel_svg(panel, left, top, scale, !grid.strip.empty());
    left += width_of(panel, scale) + panel_gap;
    rows = std::max(rows, panel.rows.size());
  }
  const double width = std::max(narrowest_of(grid), std::ceil(left - panel_gap + margin));
  if (grid.panels.empty()) return page(grid, body, width, top + margin);
  const double bottom =
      top + head_height + strip_height + strip_gap + scale.row * static_cast<double>(rows);
  const plot_legend legend = legend_of(grid, margin, width - margin, bottom + 26);
  return page(grid, body + legend.text, width, std::ceil(legend.bottom + margin));
}

}  // namespace cudnn_checked::sweep
