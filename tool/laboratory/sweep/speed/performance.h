// SPDX-License-Identifier: BSD-3-Clause
//
// How fast the right engines of a sweep are, and what programs lose that take the first choice of
// heuristic A.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../../../core/json/json.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// Shorter times count as this one: the start of a kernel takes about as long, so a factor between
/// two of them means nothing.
constexpr double least_microseconds = 5;

/// The time as it counts.
double counted_time(const result& r);

/// `best` becomes `r` if that is right and was measured, and is faster.  Both may be null.
void take_faster(const result* r, const result*& best);

/// Of each problem the fastest plan that is right and was measured; null: there is none.
/// Its element i is of record.problems[i].
std::vector<const result*> fastest_right(const record& of);

/// A problem for which the first choice of heuristic A is right, but not the fastest.
struct slow_choice {
  std::size_t problem = 0;  ///< index in record.problems
  const result* first = nullptr;
  const result* fastest = nullptr;
  double factor = 1;  ///< how many times the time of the fastest; both times as they count
};

struct performance {
  const record* of = nullptr;     ///< what it was made of, which must outlive this
  std::size_t measured = 0;       ///< problems for which a right engine was measured
  std::size_t chosen = 0;         ///< those of them whose first choice is right and was measured
  double mean_factor = 1;         ///< geometric mean over the chosen ones
  std::vector<slow_choice> slow;  ///< factor of `much_slower` or more, the largest first
};

/// To four digits: more of a time or an error say nothing.
double rounded_number(double value);

/// "12.3 us".
std::string microseconds_text(double microseconds);

/// From which factor on a first choice is listed.
constexpr double much_slower = 2;

/// Refers to `of`, which must outlive the result.
performance performance_of(const record& of);

/// Three lines of a report; empty if nothing was measured.
std::string text_of(const performance& p);
json json_of(const performance& p);

}  // namespace cudnn_checked::sweep
