// SPDX-License-Identifier: BSD-3-Clause
#include "shrink.h"

#include <algorithm>
#include <set>
#include <string>

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

/// One row on its way to the smallest problem.
class shrinking {
 public:
  shrinking(const problem& from, std::int64_t engine) : at_(from), engine_(engine) { try_each(); }

  const std::vector<problem>& candidates() const { return candidates_; }
  bool is_done() const { return candidates_.empty(); }
  bool is_smaller() const { return moved_; }
  const problem& at() const { return at_; }
  std::int64_t engine() const { return engine_; }

  /// What came of the candidates.
  void hear(const std::vector<bool>& failed) {
    if (is_trying_each_) {
      combine(failed);
    } else {
      take_last(failed);
    }
  }

 private:
  std::vector<std::int64_t> values() const {
    std::vector<std::int64_t> made;
    for (const problem_size& one : sizes_of(at_)) made.push_back(one.value);
    return made;
  }

  /// Each number alone: the least, half of it, 32, 8 and 1 less.
  void try_each() {
    is_trying_each_ = true;
    candidates_.clear();
    changes_.clear();
    const std::vector<problem_size> sizes = sizes_of(at_);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      const std::int64_t value = sizes[i].value;
      const std::int64_t least = sizes[i].least;
      std::vector<std::int64_t> tried;
      for (const std::int64_t smaller : {least, value / 2, value - 32, value - 8, value - 1}) {
        if (smaller < least || smaller >= value) continue;
        if (std::find(tried.begin(), tried.end(), smaller) != tried.end()) continue;
        tried.push_back(smaller);
        add({{i, smaller}});
      }
    }
  }

  struct change {
    std::size_t which;
    std::int64_t value;
  };

  void add(const std::vector<change>& changes) {
    std::vector<std::int64_t> sizes = values();
    for (const change& one : changes) sizes[one.which] = one.value;
    problem made;
    if (!with_sizes(at_, sizes, made) || to_string(made) == to_string(at_)) return;
    candidates_.push_back(made);
    changes_.push_back(changes);
  }

  /// Of each number the smallest that fails alone; then the first two of them together, three, ...
  void combine(const std::vector<bool>& failed) {
    std::vector<change> good;
    for (std::size_t i = 0; i < failed.size(); ++i) {
      if (!failed[i]) continue;
      const change& one = changes_[i][0];
      const auto known = std::find_if(
          good.begin(), good.end(), [&](const change& other) { return other.which == one.which; });
      if (known == good.end()) {
        good.push_back(one);
      } else {
        known->value = std::min(known->value, one.value);
      }
    }
    candidates_.clear();
    changes_.clear();
    if (good.empty()) return;
    is_trying_each_ = false;
    problem first;
    std::vector<std::int64_t> sizes = values();
    sizes[good[0].which] = good[0].value;
    if (!with_sizes(at_, sizes, first)) return;
    for (std::size_t count = 2; count <= good.size(); ++count) {
      add({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(count)});
    }
    // It is known to fail.
    fallback_ = first;
    if (candidates_.empty()) move_to(first);
  }

  void take_last(const std::vector<bool>& failed) {
    problem next = fallback_;
    for (std::size_t i = 0; i < failed.size(); ++i) {
      if (failed[i]) next = candidates_[i];
    }
    move_to(next);
  }

  void move_to(const problem& next) {
    moved_ = true;
    at_ = next;
    try_each();
  }

  problem at_;
  std::int64_t engine_;
  bool is_trying_each_ = true;
  bool moved_ = false;
  problem fallback_;
  std::vector<problem> candidates_;
  std::vector<std::vector<change>> changes_;
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

void confirm_failures(const problem_runner& run, record& of) {
  std::vector<problem> failed;
  std::set<std::size_t> numbers;
  for (const result& r : of.results) {
    if (!is_defect(r.what) || r.with.engine < 0 || failed.size() >= most_confirmed) continue;
    if (numbers.insert(r.problem).second) failed.push_back(of.problems[r.problem]);
  }
  if (failed.empty()) return;
  const record again = run(failed);
  std::set<std::string> confirmed;
  for (const result& r : again.results) {
    if (is_defect(r.what)) confirmed.insert(name_of(again, r));
  }
  const auto is_chance = [&](const result& r) {
    if (!is_defect(r.what) || r.with.engine < 0 || confirmed.count(name_of(of, r)) != 0)
      return false;
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
  bool interrupted = false;
  for (const reach how : {reach::first, reach::offered, reach::by_index}) {
    std::vector<shrinking> all = rows_to_shrink(rows, how, of);
    std::vector<record> seen;
    while (!interrupted && goes_on()) {
      const std::vector<problem> candidates = candidates_of(all);
      if (candidates.empty()) break;
      seen.push_back(run(candidates));
      hear_all(seen.back(), all);
      interrupted = seen.back().interrupted;
    }
    add_smallest(all, seen, of);
  }
}

}  // namespace cudnn_checked::sweep
