// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "../model/names.h"
#include "judge.h"

namespace cudnn_checked::sweep {

std::size_t outcome_counts::computed() const {
  std::size_t sum = 0;
  for (std::size_t i = 1; i < kinds; ++i) sum += of[i];
  return sum;
}

std::size_t outcome_counts::failed() const {
  return computed() - (*this)[outcome::right] - (*this)[outcome::inexact];
}

outcome_counts counts_of(const record& of) {
  outcome_counts counts;
  for (const result& r : of.results) ++counts[r.what];
  counts[outcome::right] += of.right_left_out;
  return counts;
}

const char* to_string(proof what) {
  static constexpr const char* names[] = {"by-itself", "by-other-engines", "by-reference-only",
                                          "disputed"};
  return names[static_cast<int>(what)];
}

/// Damage that nobody notices first, then what ends a program, then what it can handle.
static int harm_of(outcome what) {
  static constexpr outcome order[] = {outcome::failed, outcome::changing, outcome::hung,
                                      outcome::died,   outcome::outside,  outcome::unwritten,
                                      outcome::wrong};
  for (int i = 0; i < 7; ++i) {
    if (order[i] == what) return i + 1;
  }
  return 0;
}

bool worse(outcome a, outcome b) { return harm_of(a) > harm_of(b); }

bool has_narrow_dimension(const problem& p) {
  if (is_fused(p.what)) return false;
  if (p.of.channels == 1 || p.of.filters == 1 || p.of.channels == p.of.groups) return true;
  for (int i = 0; i < p.of.dimensions; ++i) {
    if (p.of.image[i] == 1 || p.of.kernel[i] == 1 || p.of.output(i) == 1) return true;
  }
  return false;
}

/// The results of a record, reached in the ways that rows need them.
class result_index {
 public:
  explicit result_index(const record& of) : of_(of), of_problem_(of.problems.size()) {
    for (std::size_t i = 0; i < of.results.size(); ++i) {
      const result& r = of.results[i];
      if (r.problem >= of.problems.size() || r.what == outcome::unsupported) continue;
      of_problem_[r.problem].push_back(i);
      sorted_.push_back(i);
      if (is_sound(r.what)) proved_[kind_of(of.problems[r.problem])] = true;
    }
    std::sort(sorted_.begin(), sorted_.end(), [this](std::size_t a, std::size_t b) {
      return std::make_tuple(key_of(a), of_.results[a].problem, a) <
             std::make_tuple(key_of(b), of_.results[b].problem, b);
    });
  }

  /// By engine, operation, layout and type, then by problem.
  const std::vector<std::size_t>& sorted() const { return sorted_; }
  const std::vector<std::size_t>& of_problem(std::size_t number) const {
    return of_problem_[number];
  }
  using key = std::tuple<std::int64_t, operation, tensor_layout, element>;
  key key_of(std::size_t i) const {
    const problem& p = of_.problems[of_.results[i].problem];
    return {of_.results[i].with.engine, p.what, p.layout, p.type};
  }
  /// Whether any engine was right on a problem of that kind: operation, type, layout, dimensions,
  /// with or without groups and dilation.
  bool is_proved(const problem& p) const { return proved_[kind_of(p)]; }
  bool nothing_is_right() const {
    return none_of(proved_, [](bool yes) { return yes; });
  }

 private:
  static std::size_t kind_of(const problem& p) {
    bool dilated = false;
    for (int i = 0; i < p.of.dimensions; ++i) dilated = dilated || p.of.dilation[i] > 1;
    std::size_t kind = static_cast<std::size_t>(p.what) * 3 + static_cast<std::size_t>(p.type);
    kind = kind * 2 + static_cast<std::size_t>(p.layout);
    kind = kind * 2 + (p.of.dimensions == 3 ? 1 : 0);
    kind = kind * 2 + (p.of.groups > 1 ? 1 : 0);
    return kind * 2 + (dilated ? 1 : 0);
  }

  const record& of_;
  std::vector<std::vector<std::size_t>> of_problem_;
  std::vector<std::size_t> sorted_;
  bool proved_[(static_cast<std::size_t>(last_of<operation>) + 1) * 3 * 16] = {};
};

static bool are_close(double a, double b) {
  return std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= 0.01 * std::fabs(a);
}

/// Two engines that are as far from the reference, as a whole and in their worst element, have
/// computed the same numbers: the results themselves are not kept.
static bool computed_the_same(const result& a, const result& b) {
  return a.what == outcome::wrong && b.what == outcome::wrong &&
         are_close(a.relative_error, b.relative_error) &&
         are_close(a.element_error, b.element_error);
}

/// What the other engines made of a problem that one fails.
struct opinion {
  bool right = false;
  std::size_t same = 0;  ///< engines
};

static opinion opinion_on(const record& of, const result_index& index, std::size_t number) {
  const result& mine = of.results[number];
  opinion made;
  std::vector<std::int64_t> same;
  for (const std::size_t i : index.of_problem(mine.problem)) {
    const result& other = of.results[i];
    if (other.with.engine == mine.with.engine) continue;
    made.right = made.right || is_sound(other.what);
    const bool counted = std::find(same.begin(), same.end(), other.with.engine) != same.end();
    if (!counted && computed_the_same(mine, other)) same.push_back(other.with.engine);
  }
  made.same = same.size();
  return made;
}

static bool is_better(const offer& a, const offer& b) {
  return std::make_tuple(a.mode, a.rank) < std::make_tuple(b.mode, b.rank);
}

static void take_reach(const plan& p, row& to, bool first) {
  // Who asks for plans at all meets what happens then.
  const reach how = p.engine < 0 ? reach::first : reach_of(p);
  if (!first && how > to.how) return;
  bool fresh = first || how < to.how;
  to.how = how;
  for (const offer& made : p.offers) {
    if (fresh || is_better(made, to.best)) to.best = made;
    fresh = false;
  }
}

/// How large a problem is: its products, or of a fused operation the sum of the numbers in its
/// text.
static double extent_of(const problem& p) {
  if (!is_fused(p.what)) return p.of.products();
  double sum = 0;
  double number = 0;
  for (const char c : p.fused_shape + " ") {
    const bool is_digit = c >= '0' && c <= '9';
    number = is_digit ? 10 * number + (c - '0') : number;
    if (is_digit) continue;
    sum += number;
    number = 0;
  }
  return sum;
}

static int settings_of(const problem& p) {
  int settings = (p.of.groups > 1 ? 1 : 0) + (p.range.is_usual() ? 0 : 1);
  for (int i = 0; i < p.of.dimensions; ++i) {
    settings += (p.of.padding[i] != 0 ? 1 : 0) + (p.of.stride[i] != 1 ? 1 : 0) +
                (p.of.dilation[i] != 1 ? 1 : 0);
  }
  return settings + p.of.dimensions;
}

/// Of two failures of a row, the one that a stranger believes sooner and reads faster.
static bool is_simpler(const record& of, const result_index& index, std::size_t a, std::size_t b) {
  const auto weigh = [&](std::size_t number) {
    const result& r = of.results[number];
    const problem& p = of.problems[r.problem];
    const bool doubtful = r.what == outcome::wrong && !opinion_on(of, index, number).right;
    // A random problem was made as small as it can be.
    const bool is_narrow = !of.asked.random && has_narrow_dimension(p);
    return std::make_tuple(doubtful || is_narrow, reach_of(r.with), r.alignment == 16, extent_of(p),
                           settings_of(p), r.with.knobs.size(), number);
  };
  return weigh(a) < weigh(b);
}

/// The results of an engine in one problem.
static void add_problem(const record& of, const result_index& index, std::size_t begin,
                        std::size_t end, row& to, bool& disputed) {
  std::vector<std::string> settings;
  std::size_t failed = 0;
  std::size_t right = 0;
  std::size_t last = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const result& r = of.results[index.sorted()[i]];
    ++to.plans[r.what];
    settings.push_back(tag_of(r.with));
    right += is_sound(r.what) ? 1 : 0;
    if (!is_defect(r.what)) continue;
    ++failed;
    last = index.sorted()[i];
    to.unaligned += r.alignment == 16 ? 1 : 0;
    to.reads_workspace += r.right_with == remedy::zero_workspace ? 1 : 0;
    to.reads_beside += r.right_with == remedy::zero_surroundings ? 1 : 0;
    take_reach(r.with, to, to.plans.failed() == 1);
    const bool is_unbuilt = r.what == outcome::failed && r.alignment == 0;
    to.unbuilt_only = is_unbuilt && (to.plans.failed() == 1 || to.unbuilt_only);
    if (to.plans.failed() == 1 || worse(r.what, to.worst)) to.worst = r.what;
  }
  ++to.problems_computed;
  if (failed == 0) return;
  ++to.problems_failed;
  const problem& p = of.problems[of.results[last].problem];
  const opinion others = opinion_on(of, index, last);
  to.right_elsewhere += others.right ? 1 : 0;
  to.same_elsewhere += !others.right && others.same > 0 ? 1 : 0;
  to.narrow += has_narrow_dimension(p) ? 1 : 0;
  disputed = disputed || (!others.right && (others.same > 1 || !index.is_proved(p)));
  std::sort(settings.begin(), settings.end());
  const bool several = settings.front() != settings.back();
  if (right > 0 && several) to.knobs_matter = answer::yes;
  if (right == 0 && several && to.knobs_matter == answer::unknown) to.knobs_matter = answer::no;
}

static proof proof_of(const row& of, const result_index& index, bool disputed) {
  if (index.nothing_is_right()) return proof::disputed;
  if (of.plans.failed() > of.plans[outcome::wrong]) return proof::by_itself;
  if (of.right_elsewhere > 0) return proof::by_other_engines;
  return disputed ? proof::disputed : proof::by_reference_only;
}

static row row_of_group(const record& of, const result_index& index, std::size_t begin,
                        std::size_t end) {
  const std::vector<std::size_t>& sorted = index.sorted();
  row made;
  std::tie(made.engine, made.what, made.layout, made.type) = index.key_of(sorted[begin]);
  bool disputed = false;
  for (std::size_t i = begin; i < end;) {
    std::size_t next = i;
    while (next < end && of.results[sorted[next]].problem == of.results[sorted[i]].problem) ++next;
    add_problem(of, index, i, next, made, disputed);
    i = next;
  }
  bool found = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (!is_defect(of.results[sorted[i]].what) || of.results[sorted[i]].what != made.worst)
      continue;
    if (!found || is_simpler(of, index, sorted[i], made.example)) made.example = sorted[i];
    found = true;
  }
  made.shown = proof_of(made, index, disputed);
  return made;
}

std::vector<row> rows_of(const record& of) {
  const result_index index(of);
  const std::vector<std::size_t>& sorted = index.sorted();
  std::vector<row> rows;
  for (std::size_t begin = 0; begin < sorted.size();) {
    std::size_t end = begin;
    while (end < sorted.size() && index.key_of(sorted[end]) == index.key_of(sorted[begin])) ++end;
    row made = row_of_group(of, index, begin, end);
    if (made.plans.failed() > 0) rows.push_back(std::move(made));
    begin = end;
  }
  std::stable_sort(rows.begin(), rows.end(), [](const row& a, const row& b) {
    return std::make_tuple(a.how, b.problems_failed, b.plans.failed()) <
           std::make_tuple(b.how, a.problems_failed, a.plans.failed());
  });
  return rows;
}

std::vector<inexact_engine> inexact_engines_of(const record& of) {
  std::map<std::pair<operation, std::int64_t>, inexact_engine> engines;
  for (const result& r : of.results) {
    if (r.what != outcome::inexact || r.problem >= of.problems.size()) continue;
    const operation what = of.problems[r.problem].what;
    inexact_engine& engine = engines[{what, r.with.engine}];
    engine = {what, r.with.engine, engine.plans + 1,
              std::max(engine.relative_error, r.relative_error)};
  }
  std::vector<inexact_engine> all;
  for (const auto& each : engines) all.push_back(each.second);
  return all;
}

}  // namespace cudnn_checked::sweep
