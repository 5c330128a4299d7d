// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <tuple>

#include "../judge/judge.h"
#include "parts.h"

namespace cudnn_checked::sweep {

const char* to_string(change what) {
  static constexpr const char* names[] = {
      "newly-fatal",     "newly-wrong",     "met-by-more",     "still-wrong",
      "no-longer-fatal", "no-longer-wrong", "newly-supported", "no-longer-supported"};
  return names[static_cast<int>(what)];
}

/// An engine at one problem, in one sweep: all its plans.
struct engine_state {
  bool supported = false;
  outcome worst = outcome::right;
  reach met = reach::by_index;  ///< nearest of the plans with a defect
  double relative_error = 0;
};

struct engine_view {
  std::size_t pair = 0;
  engine_state then;
  engine_state now;
};

/// Operation, type, layout, engine.
using engine_key = std::tuple<operation, element, tensor_layout, std::int64_t>;
using engine_views = std::map<engine_key, std::vector<engine_view>>;

static bool is_fatal(outcome what) { return what == outcome::died || what == outcome::hung; }
static bool has_defect(const engine_state& state) { return is_defect(state.worst); }

static void add_plan(engine_state& state, const result& r) {
  state.supported = true;
  if (!is_defect(r.what)) return;
  state.met = std::min(state.met, reach_of(r.with));
  if (is_defect(state.worst) && !worse(r.what, state.worst)) return;
  state.worst = r.what;
  state.relative_error = r.relative_error;
}

static engine_views views_of(const record& now, const std::vector<problem_pair>& pairs) {
  engine_views views;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const problem& p = now.problems[pairs[i].index];
    const auto view_of = [&](const result& r) -> engine_view& {
      std::vector<engine_view>& all = views[{p.what, p.type, p.layout, r.with.engine}];
      if (all.empty() || all.back().pair != i) all.push_back({i, {}, {}});
      return all.back();
    };
    for (const result* r : pairs[i].then) add_plan(view_of(*r).then, *r);
    for (const result* r : pairs[i].now) add_plan(view_of(*r).now, *r);
  }
  return views;
}

static void count_state(tally& sum, const engine_state& state) {
  if (!state.supported) return;
  ++sum.problems;
  if (!has_defect(state)) return;
  ++(is_fatal(state.worst) ? sum.fatal : sum.wrong);
  if (!is_defect(sum.worst) || worse(state.worst, sum.worst)) sum.worst = state.worst;
  sum.met = std::min(sum.met, state.met);
}

/// What became of its defects; false where it had none and has none, or the same as before.
static bool judge_defects(const tally& then, const tally& now, change& what) {
  const bool had = then.fatal + then.wrong > 0;
  const bool has = now.fatal + now.wrong > 0;
  if (now.fatal > 0 && then.fatal == 0) {
    what = change::newly_fatal;
  } else if (has && !had) {
    what = change::newly_wrong;
  } else if (has && now.met < then.met) {
    what = change::met_by_more;
  } else if (had && !has) {
    what = change::no_longer_wrong;
    return now.problems > 0;
  } else if (now.fatal == 0 && then.fatal > 0) {
    what = change::no_longer_fatal;
  } else {
    what = change::still_wrong;
    return now.fatal != then.fatal || now.wrong != then.wrong;
  }
  return true;
}

/// Whether the engine changed so at that problem.
static bool is_of(change what, const engine_view& view) {
  switch (what) {
    case change::newly_fatal:
      return is_fatal(view.now.worst);
    case change::newly_wrong:
    case change::met_by_more:
      return has_defect(view.now);
    case change::still_wrong:
      return has_defect(view.then) != has_defect(view.now);
    case change::no_longer_fatal:
      return is_fatal(view.then.worst);
    case change::no_longer_wrong:
      return has_defect(view.then);
    case change::newly_supported:
      return !view.then.supported && view.now.supported && !has_defect(view.now);
    case change::no_longer_supported:
      break;
  }
  return view.then.supported && !view.now.supported;
}

/// False if there is no such problem.
static bool add_examples(const record& now, const std::vector<problem_pair>& pairs,
                         const std::vector<engine_view>& views, engine_change& row) {
  double smallest = 0;
  for (const engine_view& view : views) {
    if (!is_of(row.what, view)) continue;
    ++row.problems;
    const problem& p = now.problems[pairs[view.pair].index];
    if (row.problems > 1 && p.of.products() >= smallest) continue;
    smallest = p.of.products();
    row.example = shape_text(p);
    const engine_state& shown = has_defect(view.now) ? view.now : view.then;
    row.defect = shown.worst;
    row.relative_error = shown.worst == outcome::wrong ? shown.relative_error : 0;
  }
  return row.problems > 0;
}

static std::size_t compared_problems(const record& now, const std::vector<problem_pair>& pairs,
                                     const engine_change& row) {
  return static_cast<std::size_t>(
      std::count_if(pairs.begin(), pairs.end(), [&](const problem_pair& pair) {
        const problem& p = now.problems[pair.index];
        return p.what == row.of && p.type == row.type && p.layout == row.layout;
      }));
}

static bool comes_first(const engine_change& a, const engine_change& b) {
  const auto nearest = [](const engine_change& row) { return std::min(row.then.met, row.now.met); };
  return std::make_tuple(a.what, nearest(a), a.of, a.engine, a.type, a.layout) <
         std::make_tuple(b.what, nearest(b), b.of, b.engine, b.type, b.layout);
}

std::vector<engine_change> engine_changes(const record& now,
                                          const std::vector<problem_pair>& pairs) {
  std::vector<engine_change> rows;
  for (const auto& each : views_of(now, pairs)) {
    const auto& views = each.second;
    engine_change row;
    std::tie(row.of, row.type, row.layout, row.engine) = each.first;
    for (const engine_view& view : views) {
      count_state(row.then, view.then);
      count_state(row.now, view.now);
    }
    row.compared = compared_problems(now, pairs, row);
    const auto add_row = [&](change what) {
      engine_change one = row;
      one.what = what;
      if (add_examples(now, pairs, views, one)) rows.push_back(std::move(one));
    };
    change of_defects = change::still_wrong;
    if (judge_defects(row.then, row.now, of_defects)) add_row(of_defects);
    add_row(change::newly_supported);
    add_row(change::no_longer_supported);
  }
  std::stable_sort(rows.begin(), rows.end(), comes_first);
  return rows;
}

}  // namespace cudnn_checked::sweep
