// SPDX-License-Identifier: BSD-3-Clause
//
// The picture of what changed between two sweeps.
#include <map>

#include "../compare/parts.h"
#include "../speed/performance.h"
#include "../text/text.h"
#include "plot.h"

namespace cudnn_checked::sweep {

/// An engine at a problem in both sweeps; null: no such plan.
struct cell_change {
  const result* right_then = nullptr;  ///< the fastest right one
  const result* right_now = nullptr;
  const result* defect_then = nullptr;
  const result* defect_now = nullptr;
};

static void take(const result& r, const result*& right, const result*& defect) {
  if (is_defect(r.what)) {
    if (defect == nullptr) defect = &r;
  } else if (right == nullptr || r.microseconds < right->microseconds) {
    right = &r;
  }
}

static std::string state_words(const result* right, const result* defect) {
  if (defect != nullptr) return to_string(defect->what);
  if (right == nullptr) return "not supported";
  return right->microseconds > 0 ? "right, " + microseconds_text(right->microseconds) : "right";
}

static plot_fill change_of(const cell_change& change, double limit) {
  const bool then = change.right_then != nullptr || change.defect_then != nullptr;
  const bool now = change.right_now != nullptr || change.defect_now != nullptr;
  if (!now) return plot_fill::lost;
  if (!then) return plot_fill::gained;
  if (change.right_then == nullptr || change.right_now == nullptr) return plot_fill::unchanged;
  if (change.right_then->microseconds <= 0 || change.right_now->microseconds <= 0) {
    return plot_fill::unchanged;
  }
  const double factor = counted_time(*change.right_now) / counted_time(*change.right_then);
  if (factor > limit) return plot_fill::slower;
  return factor < 1 / limit ? plot_fill::faster : plot_fill::unchanged;
}

static plot_cell cell_of(std::int64_t engine, const cell_change& change, double limit) {
  plot_cell cell;
  cell.engine = engine;
  cell.fill = change_of(change, limit);
  cell.note = state_words(change.right_then, change.defect_then) + " -> " +
              state_words(change.right_now, change.defect_now);
  cell.is_marked = change.defect_now != nullptr ||
                   (change.defect_then != nullptr && change.right_now != nullptr);
  if (change.defect_now == nullptr) {
    cell.sign = plot_sign::mended;
  } else {
    cell.sign = sign_of(change.defect_now->what);
    cell.is_new = change.defect_then == nullptr;
  }
  return cell;
}

static plot_problem problem_change(const problem& of, const problem_pair& pair, double limit) {
  std::map<std::int64_t, cell_change> engines;
  for (const result* r : pair.then) {
    cell_change& change = engines[r->with.engine];
    take(*r, change.right_then, change.defect_then);
  }
  for (const result* r : pair.now) {
    cell_change& change = engines[r->with.engine];
    take(*r, change.right_now, change.defect_now);
  }
  plot_problem one;
  one.of = of;
  cell_change fastest;
  for (const auto& [engine, change] : engines) {
    one.cells.push_back(cell_of(engine, change, limit));
    take_faster(change.right_then, fastest.right_then);
    take_faster(change.right_now, fastest.right_now);
  }
  one.note = "; fastest right engine: " + state_words(fastest.right_then, nullptr) + " -> " +
             state_words(fastest.right_now, nullptr);
  if (fastest.right_then != nullptr || fastest.right_now != nullptr) {
    one.strip = change_of(fastest, limit);
  }
  return one;
}

/// What is the same in both is not repeated.
static std::string machines_text(const record& then, const record& now) {
  if (then.on.gpu != now.on.gpu || then.on.capability != now.on.capability) {
    return machine_text(then) + " -> " + machine_text(now);
  }
  if (then.on.cudnn == now.on.cudnn) return machine_text(now);
  return "cuDNN " + std_text(to_string(then.on.cudnn)) + " -> " + machine_text(now).substr(6);
}

std::string plot_of(const comparison& all) {
  const record& now = *all.now.of;
  std::vector<plot_problem> problems;
  for (const problem_pair& pair : pairs_of(*all.then.of, now)) {
    problems.push_back(problem_change(now.problems[pair.index], pair, all.limit));
  }
  plot_grid grid;
  grid.title = "What changed: " + machines_text(*all.then.of, now);
  grid.panels = panels_of(std::move(problems));
  if (all.compared == 0) {
    grid.subtitle = {"the two sweeps have no problem in common"};
    return svg_of(grid);
  }
  grid.subtitle = {std::to_string(all.compared) +
                       " problems of both sweeps; faster and slower: by " +
                       formatted("%.2g times or more", all.limit),
                   list_of_engines("got worse: ", worse_engines(all), "no engine got worse")};
  grid.strip = "fastest right engine";
  return svg_of(grid);
}

}  // namespace cudnn_checked::sweep
