// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "../judge/judge.h"
#include "plot.h"

namespace cudnn_checked::sweep {

// What keeps the file at about 1 MB.
static constexpr std::size_t most_columns = 1500;
static constexpr std::size_t most_cells = 90000;
static constexpr std::size_t most_marks = 1000;
static constexpr std::size_t most_noted_cells = 2500;

/// Images before volumes, plain before dilated before grouped ones.
static int family_of(const shape& of) {
  bool dilated = false;
  for (int i = 0; i < of.dimensions; ++i) dilated = dilated || of.dilation[i] != 1;
  return (of.dimensions == 3 ? 4 : 0) + (of.groups > 1 ? 2 : 0) + (dilated ? 1 : 0);
}

/// What is alike stands side by side.
static void sort_columns(std::vector<plot_problem>& problems) {
  const auto key_of = [](const plot_problem& one) {
    return std::make_tuple(one.of.what, one.of.type, one.of.layout, family_of(one.of.of),
                           one.of.of.channels % 8 != 0 || one.of.of.filters % 8 != 0,
                           one.of.of.products());
  };
  std::stable_sort(
      problems.begin(), problems.end(),
      [&](const plot_problem& a, const plot_problem& b) { return key_of(a) < key_of(b); });
}

static std::size_t row_of(const plot_panel& panel, std::int64_t engine) {
  const auto found = std::find_if(panel.rows.begin(), panel.rows.end(),
                                  [&](const plot_row& row) { return row.engine == engine; });
  return static_cast<std::size_t>(found - panel.rows.begin());
}

static void add_column(plot_panel& panel, const plot_problem& one, const plot_problem* before) {
  if (panel.blocks.empty() || panel.blocks.back().type != one.of.type ||
      panel.blocks.back().layout != one.of.layout) {
    panel.blocks.emplace_back();
    panel.blocks.back().type = one.of.type;
    panel.blocks.back().layout = one.of.layout;
    panel.blocks.back().cells.resize(panel.rows.size());
    panel.blocks.back().notes.resize(panel.rows.size());
  }
  plot_block& block = panel.blocks.back();
  const std::string name = to_string(one.of);
  const std::size_t column = block.titles.size();
  ++panel.problems;
  if (column > 0 && family_of(before->of.of) != family_of(one.of.of)) {
    block.breaks.push_back(column);
  }
  block.titles.push_back(name + one.note);
  block.strip.push_back(one.strip);
  for (std::size_t row = 0; row < panel.rows.size(); ++row) {
    block.cells[row].push_back(plot_fill::none);
    block.notes[row].emplace_back();
  }
  for (const plot_cell& cell : one.cells) {
    const std::size_t row = row_of(panel, cell.engine);
    const std::string title =
        "engine " + std::to_string(cell.engine) + ", " + name + ": " + cell.note;
    block.cells[row][column] = cell.fill;
    block.notes[row][column] = title;
    if (!cell.is_marked) continue;
    panel.rows[row].has_defect = panel.rows[row].has_defect || cell.sign != plot_sign::mended;
    block.marks.push_back({cell.sign, cell.is_new, row, column, 1, 1, title});
  }
}

/// The one that most cells have.
static plot_fill most_frequent(const plot_fill* first, std::size_t count) {
  std::array<std::size_t, plot_fills> counts = {};
  for (std::size_t i = 0; i < count; ++i) ++counts[static_cast<std::size_t>(first[i])];
  return static_cast<plot_fill>(std::max_element(counts.begin(), counts.end()) - counts.begin());
}

static void join_fills(std::vector<plot_fill>& fills, std::size_t together) {
  std::vector<plot_fill> joined;
  for (std::size_t i = 0; i < fills.size(); i += together) {
    joined.push_back(most_frequent(&fills[i], std::min(together, fills.size() - i)));
  }
  fills = std::move(joined);
}

static void join_columns(plot_block& block, std::size_t together) {
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < block.titles.size(); i += together) {
    const std::size_t count = std::min(together, block.titles.size() - i);
    titles.push_back(block.titles[i]);
    if (count > 1) titles.back() += " and " + std::to_string(count - 1) + " like it";
  }
  block.titles = std::move(titles);
  join_fills(block.strip, together);
  for (std::vector<plot_fill>& row : block.cells) join_fills(row, together);
  for (plot_mark& mark : block.marks) mark.column /= together;
  for (std::size_t& column : block.breaks) column /= together;
}

/// Those in a row with the same sign, and with at most `gap` columns between them, become one.
static void join_marks(plot_block& block, std::size_t gap) {
  std::stable_sort(block.marks.begin(), block.marks.end(),
                   [](const plot_mark& a, const plot_mark& b) {
                     return std::make_tuple(a.row, a.sign, a.is_new, a.column) <
                            std::make_tuple(b.row, b.sign, b.is_new, b.column);
                   });
  std::vector<plot_mark> joined;
  for (plot_mark& mark : block.marks) {
    const bool is_next = !joined.empty() && joined.back().row == mark.row &&
                         joined.back().sign == mark.sign && joined.back().is_new == mark.is_new &&
                         mark.column <= joined.back().column + joined.back().columns + gap;
    if (is_next) {
      joined.back().columns = mark.column + mark.columns - joined.back().column;
      joined.back().count += mark.count;
    } else {
      joined.push_back(std::move(mark));
    }
  }
  block.marks = std::move(joined);
}

static std::size_t count_marks(const std::vector<plot_panel>& panels) {
  std::size_t count = 0;
  for (const plot_panel& panel : panels) {
    for (const plot_block& block : panel.blocks) count += block.marks.size();
  }
  return count;
}

static void bound(std::vector<plot_panel>& panels) {
  std::size_t columns = 0;
  std::size_t cells = 0;
  for (const plot_panel& panel : panels) {
    columns += panel.problems;
    cells += panel.problems * panel.rows.size();
  }
  const std::size_t together = std::max({(columns + most_columns - 1) / most_columns,
                                         (cells + most_cells - 1) / most_cells, std::size_t{1}});
  for (plot_panel& panel : panels) {
    for (plot_block& block : panel.blocks) {
      if (cells > most_noted_cells) block.notes.clear();
      if (together > 1) join_columns(block, together);
    }
  }
  for (std::size_t gap = 0; count_marks(panels) > most_marks && gap < columns; gap = 2 * gap + 1) {
    for (plot_panel& panel : panels) {
      for (plot_block& block : panel.blocks) join_marks(block, gap);
    }
  }
}

std::vector<plot_panel> panels_of(std::vector<plot_problem> problems) {
  sort_columns(problems);
  std::vector<plot_panel> panels;
  for (const plot_problem& one : problems) {
    if (panels.empty() || panels.back().what != one.of.what) {
      panels.emplace_back();
      panels.back().what = one.of.what;
    }
    for (const plot_cell& cell : one.cells) {
      if (row_of(panels.back(), cell.engine) < panels.back().rows.size()) continue;
      panels.back().rows.push_back({cell.engine, false});
    }
  }
  for (plot_panel& panel : panels) {
    std::sort(panel.rows.begin(), panel.rows.end(),
              [](const plot_row& a, const plot_row& b) { return a.engine < b.engine; });
    const plot_problem* before = nullptr;
    for (const plot_problem& one : problems) {
      if (one.of.what == panel.what) add_column(panel, one, before);
      before = &one;
    }
  }
  bound(panels);
  return panels;
}

}  // namespace cudnn_checked::sweep
