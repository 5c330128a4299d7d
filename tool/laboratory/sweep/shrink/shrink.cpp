// SPDX-License-Identifier: BSD-3-Clause
#include "shrink.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "simpler.h"

namespace cudnn_checked::sweep {

/// Of each reach.  More take longer than they tell: a row is an engine in an operation, a type and
/// a layout.
static constexpr std::size_t most_rows = 12;

bool is_refuted(const record& of, std::size_t number, std::int64_t engine) {
  bool fails = false;
  bool fails_alone = false;
  bool right_elsewhere = false;
  for (const result& r : of.results) {
    if (r.problem != number) continue;
    if (r.with.engine == engine) {
      fails = fails || is_defect(r.what);
      fails_alone = fails_alone || (is_defect(r.what) && r.what != outcome::wrong);
    } else {
      right_elsewhere = right_elsewhere || is_sound(r.what);
    }
  }
  return fails && (fails_alone || right_elsewhere);
}

namespace {

/// One row on its way to the smallest problem.  To start workers takes longer than to compute small
/// problems, so that each round has many of them:
///
///   1. Once, all numbers at what defects are known to ask for: 2, 3, 8, 32.  The same with each of
///      them at its least, and with each of them as it was.
///   2. What failed so, all together; or all but one; or the first of them.
///   3. Each number alone: the least, 2, 8, 32, the rest of a division by 32 and 32 more, half,
///   three
///      quarters, 8 and 1 less.  Then 2, or the end.
class shrinking {
 public:
  shrinking(const problem& from, std::int64_t engine) : at_(from), engine_(engine) { try_usual(); }

  const std::vector<problem>& candidates() const { return candidates_; }
  bool is_done() const { return candidates_.empty(); }
  bool is_smaller() const { return moved_; }
  const problem& at() const { return at_; }
  std::int64_t engine() const { return engine_; }

  /// What came of the candidates.
  void hear(const std::vector<bool>& failed) {
    const auto found = std::find(failed.begin(), failed.end(), true);
    const bool any = found != failed.end();
    const auto first = static_cast<std::size_t>(found - failed.begin());
    if (trying_ == trying::usual) {
      hear_of_usual(failed, any, first);
    } else if (trying_ == trying::each) {
      hear_of_each(failed);
    } else {
      move_to(any ? candidates_[first] : known_);
      try_each();
    }
  }

 private:
  enum class trying { usual, each, together };

  struct change {
    std::size_t which;
    std::int64_t value;
  };
  using changes = std::vector<change>;

  void begin(trying what) {
    trying_ = what;
    candidates_.clear();
    changes_.clear();
  }

  /// Nothing happens if there is no such problem, or if it is the one that is known.
  void add(const changes& all) {
    std::vector<std::int64_t> sizes;
    for (const problem_size& one : sizes_of(at_)) sizes.push_back(one.value);
    for (const change& one : all) sizes[one.which] = one.value;
    problem made;
    if (!with_sizes(at_, sizes, made) || to_string(made) == to_string(at_)) return;
    candidates_.push_back(made);
    changes_.push_back(all);
  }

  /// The largest power of two that divides the number, up to 32; 3 in place of an odd one.
  static std::int64_t usual_of(std::int64_t value) {
    std::int64_t made = value % 2 == 0 ? 2 : 3;
    while (made % 2 == 0 && made < 32 && value % (2 * made) == 0) made *= 2;
    return std::min(made, value);
  }

  void try_usual() {
    begin(trying::usual);
    const std::vector<problem_size> sizes = sizes_of(at_);
    changes all;
    for (std::size_t i = 0; i < sizes.size(); ++i) all.push_back({i, usual_of(sizes[i].value)});
    add(all);
    if (candidates_.empty()) {
      try_each();
      return;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (all[i].value <= sizes[i].least) continue;
      changes less = all;
      less[i].value = sizes[i].least;
      add(less);
    }
    add_all_but_one(all);
  }

  void add_all_but_one(const changes& all) {
    for (std::size_t i = 0; i < all.size() && all.size() > 2; ++i) {
      changes others = all;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      add(others);
    }
  }

  void try_each() {
    begin(trying::each);
    const std::vector<problem_size> sizes = sizes_of(at_);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::int64_t value = sizes[i].value;
      std::set<std::int64_t> tried;
      for (const std::int64_t smaller :
           {sizes[i].least, std::int64_t{2}, std::int64_t{8}, std::int64_t{32}, value % 32,
            32 + value % 32, value / 2, value * 3 / 4, value - 8, value - 1}) {
        if (smaller >= sizes[i].least && smaller < value && tried.insert(smaller).second) {
          add({{i, smaller}});
        }
      }
    }
  }

  /// Each of them is known to fail alone, and `known_` with one of them.
  void try_together(const changes& good) {
    begin(trying::together);
    add(good);
    add_all_but_one(good);
    for (std::size_t count = good.size(); --count > 1;) {
      add({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(count)});
    }
    if (!candidates_.empty()) return;
    move_to(known_);
    try_each();
  }

  void hear_of_usual(const std::vector<bool>& failed, bool any, std::size_t first) {
    if (any) move_to(candidates_[first]);
    changes good;
    if (any && first == 0) {
      // What differs from the first candidate is one number.
      for (std::size_t i = 1; i < failed.size(); ++i) {
        if (!failed[i] || changes_[i].size() != changes_[0].size()) continue;
        for (std::size_t k = 0; k < changes_[i].size(); ++k) {
          if (changes_[i][k].value != changes_[0][k].value) good.push_back(changes_[i][k]);
        }
        known_ = candidates_[i];
      }
    }
    if (good.empty()) {
      try_each();
    } else {
      try_together(good);
    }
  }

  /// Of each number the smallest that fails alone.
  void hear_of_each(const std::vector<bool>& failed) {
    changes good;
    for (std::size_t i = 0; i < failed.size(); ++i) {
      if (!failed[i]) continue;
      const change& one = changes_[i][0];
      if (good.empty() || good.back().which != one.which) {
        good.push_back(one);
      } else if (one.value < good.back().value) {
        good.back() = one;
      } else {
        continue;
      }
      known_ = candidates_[i];
    }
    begin(trying::each);
    if (!good.empty()) try_together(good);
  }

  void move_to(problem next) {
    moved_ = true;
    at_ = std::move(next);
  }

  problem at_;
  std::int64_t engine_;
  trying trying_ = trying::usual;
  bool moved_ = false;
  problem known_;
  std::vector<problem> candidates_;
  std::vector<changes> changes_;
};

/// Where a record has a problem; as many as it has: nowhere, or not computed to its end.
std::size_t find_problem(const record& of, const problem& wanted) {
  const std::string text = to_string(wanted);
  std::size_t number = 0;
  while (number < of.problems.size() && to_string(of.problems[number]) != text) ++number;
  return number;
}

/// Adds a problem with its results.
void add_computed(const record& from, std::size_t number, record& to) {
  to.problems.push_back(from.problems[number]);
  to.computed_on.push_back(from.computed_on.empty() ? 0 : from.computed_on[number]);
  for (const result& r : from.results) {
    if (r.problem != number) continue;
    to.results.push_back(r);
    to.results.back().problem = to.problems.size() - 1;
  }
}

/// All candidates, each once.
std::vector<problem> candidates_of(const std::vector<shrinking>& all) {
  std::vector<problem> made;
  std::vector<std::string> known;
  for (const shrinking& one : all) {
    for (const problem& p : one.candidates()) {
      const std::string text = to_string(p);
      if (std::find(known.begin(), known.end(), text) != known.end()) continue;
      known.push_back(text);
      made.push_back(p);
    }
  }
  return made;
}

}  // namespace

/// A plan of a problem, as it is told.
static std::string name_of(const record& of, const result& r) {
  return to_string(of.problems[r.problem]) + "\t" + tag_of(r.with);
}

/// The problems at which a plan failed, once each: first those at which one did worse than return
/// an error.
static std::vector<problem> failed_problems(const record& of) {
  std::vector<problem> failed;
  std::set<std::size_t> numbers;
  for (const bool is_error : {false, true}) {
    for (const result& r : of.results) {
      if (!is_defect(r.what) || r.with.engine < 0) continue;
      if ((r.what == outcome::failed) != is_error || !numbers.insert(r.problem).second) continue;
      failed.push_back(of.problems[r.problem]);
    }
  }
  return failed;
}

/// Why a run that computes again ended before its time, as a GPU does that is lost; else empty.
static std::string why_it_broke_off(const record& again) {
  if (again.interrupted || again.seconds >= again.asked.seconds) return {};
  return again.why_not.empty() ? again.ended_early : again.why_not;
}

static void note_break(const record& again, record& of) {
  const std::string why = why_it_broke_off(again);
  if (why.empty() || !of.ended_early.empty()) return;
  of.ended_early = "while failures were computed again: " + why;
}

/// The problems that a record has computed to their end.
static std::set<std::string> ended_problems(const record& of) {
  std::set<std::string> ended;
  for (std::size_t i = 0; i < of.problems.size(); ++i) {
    if (std::find(of.unfinished.begin(), of.unfinished.end(), i) == of.unfinished.end())
      ended.insert(to_string(of.problems[i]));
  }
  return ended;
}

void confirm_failures(const problem_runner& run, record& of) {
  const std::vector<problem> failed = failed_problems(of);
  if (failed.empty()) return;
  const record again = run(failed);
  note_break(again, of);
  std::set<std::string> confirmed;
  for (const result& r : again.results) {
    if (is_defect(r.what)) confirmed.insert(name_of(again, r));
  }
  const std::set<std::string> ended = ended_problems(again);
  const auto is_chance = [&](const result& r) {
    if (!is_defect(r.what) || r.with.engine < 0 || confirmed.count(name_of(of, r)) != 0)
      return false;
    if (ended.count(to_string(of.problems[r.problem])) == 0) {
      ++of.not_tried_again;
      return false;
    }
    of.unfinished.push_back(r.problem);
    ++of.not_repeated;
    return true;
  };
  of.results.erase(std::remove_if(of.results.begin(), of.results.end(), is_chance),
                   of.results.end());
  std::sort(of.unfinished.begin(), of.unfinished.end());
  of.unfinished.erase(std::unique(of.unfinished.begin(), of.unfinished.end()), of.unfinished.end());
}

/// Those that most programs meet come first: of the others there may be many.
static std::vector<shrinking> rows_to_shrink(const std::vector<row>& rows, reach how,
                                             const record& of) {
  std::vector<shrinking> made;
  for (const row& one : rows) {
    const std::size_t number = of.results[one.example].problem;
    const bool is_told = one.engine >= 0 && one.how == how && one.worst != outcome::failed;
    if (!is_told || made.size() >= most_rows || !is_refuted(of, number, one.engine)) continue;
    made.emplace_back(of.problems[number], one.engine);
  }
  return made;
}

static void hear_all(const record& computed, std::vector<shrinking>& all) {
  for (shrinking& one : all) {
    std::vector<bool> failed;
    for (const problem& p : one.candidates()) {
      const std::size_t number = find_problem(computed, p);
      failed.push_back(number < computed.problems.size() &&
                       is_refuted(computed, number, one.engine()));
    }
    if (!one.is_done()) one.hear(failed);
  }
}

/// The smallest problems, with what came of them.
static void add_smallest(const std::vector<shrinking>& all, const std::vector<record>& seen,
                         record& of) {
  for (const shrinking& one : all) {
    if (!one.is_smaller() || find_problem(of, one.at()) < of.problems.size()) continue;
    for (const record& computed : seen) {
      const std::size_t number = find_problem(computed, one.at());
      if (number >= computed.problems.size() || !is_refuted(computed, number, one.engine()))
        continue;
      add_computed(computed, number, of);
      break;
    }
  }
}

void shrink_failures(const std::vector<row>& rows, const problem_runner& run,
                     const std::function<bool()>& goes_on, record& of) {
  bool has_ended = !of.ended_early.empty();
  for (const reach how : {reach::first, reach::offered, reach::by_index}) {
    std::vector<shrinking> all = rows_to_shrink(rows, how, of);
    std::vector<record> seen;
    while (!has_ended && goes_on()) {
      const std::vector<problem> candidates = candidates_of(all);
      if (candidates.empty()) break;
      seen.push_back(run(candidates));
      hear_all(seen.back(), all);
      note_break(seen.back(), of);
      has_ended = seen.back().interrupted || !of.ended_early.empty();
    }
    add_smallest(all, seen, of);
  }
}

}  // namespace cudnn_checked::sweep
