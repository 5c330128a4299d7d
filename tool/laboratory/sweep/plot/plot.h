// SPDX-License-Identifier: BSD-3-Clause
//
// Engines by problems, as a picture that stands alone: SVG without scripts, fonts or anything else
// from outside.  And what it shows, before it has sizes and colours: of each operation a panel, of
// each type and layout a block of it, engines as rows, problems as columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../compare/compare.h"

namespace cudnn_checked::sweep {

/// Right, wrong, unsupported; right ones as fast as they are beside the fastest of the problem.
std::string plot_of(const side& sweep);

/// What changed.
std::string plot_of(const comparison& all);

/// What fills a cell: how fast the engine is beside the fastest right one of the problem, or what
/// changed.
enum class plot_fill : unsigned char {
  none,     ///< not supported
  fastest,  ///< up to 1.1 times the time of the fastest
  fast,     ///< 1.5
  medium,   ///< 2.5
  slow,     ///< 5
  slowest,
  untimed,    ///< right, not measured
  unchanged,  ///< right in both sweeps, as fast
  faster,
  slower,
  gained,  ///< newly supported
  lost     ///< no longer supported
};
constexpr std::size_t plot_fills = static_cast<std::size_t>(plot_fill::lost) + 1;

/// What stands on a cell: a defect.
enum class plot_sign : unsigned char {
  wrong,
  unwritten,
  outside,
  changing,
  failed,
  died,
  hung,
  mended  ///< a defect of the earlier sweep that is gone
};
constexpr std::size_t plot_signs = static_cast<std::size_t>(plot_sign::mended) + 1;

plot_sign sign_of(outcome defect);

/// An engine at a problem.
struct plot_cell {
  std::int64_t engine = -1;
  plot_fill fill = plot_fill::none;
  bool is_marked = false;
  plot_sign sign = plot_sign::wrong;
  bool is_new = true;  ///< false: the earlier sweep has the same defect
  std::string note;    ///< what the pointer shows: "wrong, relative error 1.4"
};

struct plot_problem {
  problem of;
  std::string note;                   ///< what the pointer shows behind its name
  plot_fill strip = plot_fill::none;  ///< the line above the rows: first choice of heuristic A
  std::vector<plot_cell> cells;       ///< one an engine
};

struct plot_mark {
  plot_sign sign = plot_sign::wrong;
  bool is_new = true;
  std::size_t row = 0;
  std::size_t column = 0;
  std::size_t columns = 1;  ///< more: several that have become one mark
  std::size_t count = 1;    ///< so many
  std::string title;
};

/// A type and a layout.
struct plot_block {
  element type = element::fp32;
  tensor_layout layout = tensor_layout::nchw;
  std::vector<std::string> titles;  ///< of the columns
  std::vector<plot_fill> strip;
  std::vector<std::vector<plot_fill>> cells;    ///< [row][column]
  std::vector<std::vector<std::string>> notes;  ///< of cells; empty in a large picture
  std::vector<plot_mark> marks;
  std::vector<std::size_t> breaks;  ///< columns with which another kind of problem begins
};

struct plot_row {
  std::int64_t engine = -1;
  bool has_defect = false;
};

struct plot_panel {
  operation what = operation::forward;
  std::size_t problems = 0;
  std::vector<plot_row> rows;
  std::vector<plot_block> blocks;
};

struct plot_grid {
  std::string title;
  std::vector<std::string> subtitle;  ///< lines
  std::string strip;                  ///< what the strip is; empty: there is none
  std::vector<plot_panel> panels;
};

/// Columns and marks are joined if there would be too many.
std::vector<plot_panel> panels_of(std::vector<plot_problem> problems);

/// The order of the columns, for the legend.
constexpr const char* column_order = "plain, dilated, grouped, volumes, each by size";

/// The picture.
std::string svg_of(const plot_grid& grid);

/// "defects: fwd engine 72, dgrad engine 78", of eight at most; `none` if there is none.
std::string list_of_engines(const std::string& heading, const std::vector<std::string>& names,
                            const std::string& none);

/// "cuDNN 9.19.0 on NVIDIA H200 (sm_90)".
std::string machine_text(const record& of);

}  // namespace cudnn_checked::sweep
