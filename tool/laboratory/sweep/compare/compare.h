// SPDX-License-Identifier: BSD-3-Clause
//
// Two sweeps: what a new driver, cuDNN or GPU changed.  Only problems that both of them computed to
// the end are compared, so that a shorter sweep, or another seed, is no difference.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../model/record.h"

namespace cudnn_checked::sweep {

struct side {
  const record* of = nullptr;
  std::string name;     ///< the file or directory as it was typed
  std::string package;  ///< the release of cudnn-checked that computed it
};

/// What became of an engine, by how much it matters.
enum class change {
  newly_fatal,          ///< it ends the process or hangs, and did not
  newly_wrong,          ///< it has a defect, and had none
  met_by_more,          ///< its defect has come nearer to what programs take
  still_wrong,          ///< it has its defect at another number of problems
  no_longer_fatal,      ///< it has a defect, but does not end the process any more
  no_longer_wrong,      ///< it is right, if it is supported
  newly_supported,      ///< right at problems that it did not support
  no_longer_supported,  ///< does not support problems that it supported
};

/// "newly-fatal", "newly-wrong", ...
const char* to_string(change what);

/// How often an engine was seen in each state, counted in problems: with its worst plan.
struct tally {
  std::size_t problems = 0;        ///< that it supports
  std::size_t fatal = 0;           ///< died or hung
  std::size_t wrong = 0;           ///< other defects
  reach met = reach::by_index;     ///< nearest of its plans with a defect
  outcome worst = outcome::right;  ///< see worse()
};

/// One row of the table: an engine with a type and a layout.
struct engine_change {
  change what = change::newly_wrong;
  operation of = operation::forward;
  element type = element::fp32;
  tensor_layout layout = tensor_layout::nchw;
  std::int64_t engine = -1;
  std::size_t compared = 0;  ///< problems of this operation, type and layout that both computed
  tally then;
  tally now;
  std::size_t problems = 0;         ///< for which it changed in this way
  std::string example;              ///< the smallest of those
  outcome defect = outcome::right;  ///< there, of the sweep that has it
  double relative_error = 0;
};

/// The fastest right engines of a problem.
struct speed_change {
  std::string what;  ///< the problem
  std::int64_t engine_then = -1;
  std::int64_t engine_now = -1;
  double then = 0;  ///< microseconds
  double now = 0;
  double factor = 1;  ///< now / then, of the times as they count
};

/// The same of all problems of an operation, type and layout.
struct speed_group {
  std::string what;  ///< "fwd fp16 nchw"; "all"
  std::size_t problems = 0;
  double factor = 1;  ///< median of now / then
};

/// From this factor on a single problem is listed.  A time is the shortest of a few executions
/// while other processes use the GPU: a single one may be off by any factor.
constexpr double listed_change = 1.5;

struct comparison {
  side then;
  side now;
  std::size_t compared = 0;  ///< problems that both computed to the end
  std::vector<engine_change> engines;

  /// Problems whose first choice of heuristic A is right and measured in both, and the geometric
  /// mean of how many times the time of the fastest right engine it takes.
  std::size_t chosen = 0;
  double choice_then = 1;
  double choice_now = 1;

  std::size_t timed = 0;             ///< problems with a right, measured engine in both
  std::vector<speed_group> groups;   ///< the first is all
  std::vector<speed_change> slower;  ///< single problems, the largest change first
  std::vector<speed_change> faster;
  std::vector<std::string> lost;    ///< problems that have no right engine any more
  std::vector<std::string> gained;  ///< problems that had none
};

/// Refers to both records, which must outlive the result.
comparison compare(const side& then, const side& now);

/// Newly wrong or fatal, or its defect is met by more programs.
bool is_worse(change what);
/// Engines that got worse in some type and layout, each once: "fwd engine 72".
std::vector<std::string> worse_engines(const comparison& all);
bool got_worse(const comparison& all);

/// The table, and a last line with the verdict.
std::string text_of(const comparison& all);
/// `report`: the JSON of the later sweep, if it was computed now; else empty.
std::string json_text_of(const comparison& all, const std::string& report);

}  // namespace cudnn_checked::sweep
