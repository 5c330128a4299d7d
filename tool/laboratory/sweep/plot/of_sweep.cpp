// SPDX-License-Identifier: BSD-3-Clause
//
// The picture of one sweep.
#include <algorithm>
#include <cmath>

#include "../../../core/report/report.h"
#include "../judge/judge.h"
#include "../speed/performance.h"
#include "../text/text.h"
#include "plot.h"

namespace cudnn_checked::sweep {

plot_sign sign_of(outcome defect) {
  return static_cast<plot_sign>(static_cast<int>(defect) - static_cast<int>(outcome::wrong));
}

std::string machine_text(const record& of) {
  const std::string on = of.on.gpu.empty() ? "an unknown GPU" : of.on.gpu;
  return "cuDNN " + std_text(to_string(of.on.cudnn)) + " on " + on +
         (of.on.capability > 0 ? " (sm_" + std::to_string(of.on.capability) + ")" : "");
}

static plot_fill fill_of(double factor) {
  if (factor <= 1.1) return plot_fill::fastest;
  if (factor <= 1.5) return plot_fill::fast;
  if (factor <= 2.5) return plot_fill::medium;
  return factor <= 5 ? plot_fill::slow : plot_fill::slowest;
}

static std::string factor_words(double factor) {
  return factor > 1 ? formatted("%.2g times the fastest", factor) : "the fastest";
}

/// "wrong, relative error 1.4", "unwritten, 7 of 16 elements", "died: misaligned address".
static std::string defect_words(const result& r) {
  std::string text = to_string(r.what);
  if (r.what == outcome::wrong) {
    text += std::isfinite(r.relative_error) ? formatted(", relative error %.2g", r.relative_error)
                                            : ", not finite";
  }
  if (r.what == outcome::unwritten) {
    text += ", " + std::to_string(r.unwritten) + " of " + std::to_string(r.elements) + " elements";
  }
  if (!r.detail.empty()) text += ": " + r.detail;
  return text;
}

static std::string offer_words(const plan& p) {
  if (p.offers.empty()) return ", offered by no heuristic";
  std::string text;
  for (const offer& made : p.offers) {
    text += (text.empty() ? ", offered by " : " and ") + std::string(to_string(made.mode)) +
            " as " + std::to_string(made.rank);
  }
  return text;
}

static void add_result(plot_problem& one, const result& r, const result* fastest) {
  if (one.cells.empty() || one.cells.back().engine != r.with.engine) {
    one.cells.emplace_back();
    one.cells.back().engine = r.with.engine;
  }
  plot_cell& cell = one.cells.back();
  if (is_defect(r.what)) {
    if (cell.is_marked) return;
    cell.is_marked = true;
    cell.sign = sign_of(r.what);
    cell.note = defect_words(r) + " (" + tag_of(r.with) + offer_words(r.with) + ")";
    return;
  }
  const bool is_timed = r.microseconds > 0 && fastest != nullptr;
  const double factor = is_timed ? counted_time(r) / counted_time(*fastest) : 0;
  const plot_fill fill = is_timed ? fill_of(factor) : plot_fill::untimed;
  if (cell.fill != plot_fill::none && fill >= cell.fill) return;
  cell.fill = fill;
  if (cell.is_marked) return;
  cell.note = "right";
  if (is_timed) cell.note += ", " + microseconds_text(r.microseconds) + ", " + factor_words(factor);
}

static void add_choice(plot_problem& one, const result& r, const result* fastest) {
  one.note += "; first choice of heuristic A: engine " + std::to_string(r.with.engine);
  if (is_defect(r.what)) {
    one.note += ", " + defect_words(r);
  } else if (r.microseconds > 0 && fastest != nullptr) {
    const double factor = counted_time(r) / counted_time(*fastest);
    one.strip = fill_of(factor);
    one.note += ", " + microseconds_text(r.microseconds) + ", " + factor_words(factor);
  }
}

static std::vector<plot_problem> plot_problems(const record& of) {
  std::vector<std::vector<const result*>> lists(of.problems.size());
  for (const result& r : of.results) lists[r.problem].push_back(&r);
  const std::vector<const result*> fastest = fastest_right(of);
  std::vector<plot_problem> problems(of.problems.size());
  for (std::size_t i = 0; i < problems.size(); ++i) {
    plot_problem& one = problems[i];
    one.of = of.problems[i];
    one.note = ": no right engine";
    if (fastest[i] != nullptr) {
      one.note = ": fastest engine " + std::to_string(fastest[i]->with.engine) + ", " +
                 microseconds_text(fastest[i]->microseconds);
    }
    std::stable_sort(lists[i].begin(), lists[i].end(), [](const result* a, const result* b) {
      return a->with.engine < b->with.engine;
    });
    for (const result* r : lists[i]) {
      add_result(one, *r, fastest[i]);
      if (reach_of(r->with) == reach::first) add_choice(one, *r, fastest[i]);
    }
  }
  return problems;
}

static std::vector<std::string> defective_engines(const std::vector<plot_panel>& panels) {
  std::vector<std::string> names;
  for (const plot_panel& panel : panels) {
    for (const plot_row& row : panel.rows) {
      if (!row.has_defect) continue;
      names.push_back(std::string(to_string(panel.what)) + " engine " + std::to_string(row.engine));
    }
  }
  return names;
}

std::string list_of_engines(const std::string& heading, const std::vector<std::string>& names,
                            const std::string& none) {
  constexpr std::size_t most = 8;
  if (names.empty()) return none;
  std::string text = heading;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

std::string plot_of(const side& sweep) {
  const record& of = *sweep.of;
  plot_grid grid;
  grid.title = "cuDNN's engines: " + machine_text(of);
  grid.panels = panels_of(plot_problems(of));
  if (of.problems.empty()) {
    grid.subtitle = {of.why_not.empty() ? "no problem was computed" : of.why_not};
    return svg_of(grid);
  }
  grid.subtitle = {std::to_string(of.problems.size()) + " problems, " +
                       std::to_string(of.results.size()) + " plans, driver for CUDA " +
                       std_text(to_cuda_string(of.on.driver)) + ", seed " +
                       std::to_string(of.asked.seed),
                   list_of_engines("defects: ", defective_engines(grid.panels), "no defect found")};
  grid.strip = "first choice of heuristic A";
  return svg_of(grid);
}

}  // namespace cudnn_checked::sweep
