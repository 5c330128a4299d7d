// SPDX-License-Identifier: BSD-3-Clause
#include "performance.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "../model/engine.h"
#include "../text/members.h"
#include "../text/text.h"

namespace cudnn_checked::sweep {

double counted_time(const result& r) { return std::max(r.microseconds, least_microseconds); }

static bool is_timed(const result& r) { return is_sound(r.what) && r.microseconds > 0; }

void take_faster(const result* r, const result*& best) {
  if (r == nullptr || !is_timed(*r)) return;
  if (best == nullptr || r->microseconds < best->microseconds) best = r;
}

std::vector<const result*> fastest_right(const record& of) {
  std::vector<const result*> fastest(of.problems.size(), nullptr);
  for (const result& one : of.results) take_faster(&one, fastest[one.problem]);
  return fastest;
}

performance performance_of(const record& of) {
  performance p;
  p.of = &of;
  const std::vector<const result*> fastest = fastest_right(of);
  p.measured = static_cast<std::size_t>(std::count_if(
      fastest.begin(), fastest.end(), [](const result* one) { return one != nullptr; }));
  double logarithms = 0;
  for (const result& one : of.results) {
    if (!is_timed(one) || reach_of(one.with) != reach::first) continue;
    const result* const best = fastest[one.problem];
    const double factor = counted_time(one) / counted_time(*best);
    ++p.chosen;
    logarithms += std::log(factor);
    if (factor >= much_slower) p.slow.push_back({one.problem, &one, best, factor});
  }
  if (p.chosen > 0) p.mean_factor = std::exp(logarithms / static_cast<double>(p.chosen));
  std::stable_sort(p.slow.begin(), p.slow.end(),
                   [](const slow_choice& a, const slow_choice& b) { return a.factor > b.factor; });
  return p;
}

static std::string factor_text(double factor) {
  return formatted(factor < 10 ? "%.2f" : "%.0f", factor);
}

std::string microseconds_text(double microseconds) {
  return formatted(microseconds < 100 ? "%.1f us" : "%.0f us", microseconds);
}

std::string text_of(const performance& p) {
  if (p.chosen == 0) return {};
  std::string text = "  speed:      the first choice of heuristic A takes " +
                     factor_text(p.mean_factor) +
                     " times the time of the fastest right engine, geometric mean of " +
                     counted(p.chosen, "problem") + "\n";
  if (p.slow.empty()) return text;
  const slow_choice& worst = p.slow.front();
  const operation what = p.of->problems[worst.problem].what;
  text += "              at " + counted(p.slow.size(), "problem") +
          " twice as long or more, at most " + factor_text(worst.factor) +
          " times: " + engine_phrase(what, worst.first->with.engine) + " " +
          microseconds_text(worst.first->microseconds) + ", " +
          engine_phrase(what, worst.fastest->with.engine) + " " +
          microseconds_text(worst.fastest->microseconds) + "\n";
  return text + "              there: " + to_string(p.of->problems[worst.problem]) + "\n";
}

double rounded_number(double value) {
  return std::strtod(formatted("%.4g", value).c_str(), nullptr);
}

static json plan_json(const result& r) {
  return json_object("plan microseconds", tag_of(r.with), rounded_number(r.microseconds));
}

json json_of(const performance& p) {
  const json slow = json_array(p.slow, [&](const slow_choice& one) {
    return json_object("problem factor first fastest", to_string(p.of->problems[one.problem]),
                       rounded_number(one.factor), plan_json(*one.first), plan_json(*one.fastest));
  });
  return json_object("measured chosen mean_factor slow", p.measured, p.chosen,
                     rounded_number(p.mean_factor), slow);
}

}  // namespace cudnn_checked::sweep
