// SPDX-License-Identifier: BSD-3-Clause
//
// What a worker and the process that has started it say to each other, a line each.
//
//     to the worker      the request, then one assignment after the other
//     from the worker    what it computes on, or why it cannot; then of each assignment that its
//                        plans are known, that it begins with a plan (before anything can go wrong
//                        with it) and what came of it; then that the assignment is done
//
// A line begins with a word that says what it is.  Fields follow behind tabs, and a dot that shows
// that nothing was cut off.  A reader gives false for a line that is not what the writer makes of
// the value, and then leaves the value as it is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "record.h"

namespace cudnn_checked::sweep {

struct message {
  enum class kind {
    request,   ///< `asked`
    compute,   ///< plans of `problem`, from `number` on.  Plan 0 is the question which plans there
               ///< are; the worker begins with it as with the others (engine -1)
    machine,   ///< `on`: it can compute, and waits for an assignment
    cannot,    ///< `why`, in one line: it cannot compute, and ends; `on.gpus`
    prepares,  ///< plans of `problem` are known; its numbers and their reference are computed now
    begin,     ///< `came.with`, plan number `number` of `problem`, is about to be built and run
    built,     ///< plan number `number` can be run: what follows takes no compiler
    result,    ///< `came`: of the plan that it has begun with; one that is not supported needs none
    counts,    ///< `left`: plans of this assignment that were not run
    end        ///< all plans of `problem` are done
  };

  static constexpr std::size_t longest_text = 1000;  ///< of a detail or a reason

  message() = default;
  explicit message(kind says, std::size_t of_problem = 0, std::size_t of_plan = 0)
      : what(says), problem(of_problem), number(of_plan) {}
  /// That it begins with a plan.
  message(std::size_t of_problem, std::size_t of_plan, const plan& with)
      : message(kind::begin, of_problem, of_plan) {
    came.with = with;
  }
  explicit message(const result& has_come) : message(kind::result, has_come.problem) {
    came = has_come;
    came.detail.resize(std::min(came.detail.size(), longest_text));
  }
  explicit message(const sweep::machine& computes_on) : message(kind::machine) { on = computes_on; }
  /// That it cannot compute, and why.
  explicit message(const std::string& reason, int gpus = 0) : message(kind::cannot) {
    why = reason.substr(0, longest_text);
    on.gpus = gpus;
  }

  kind what = kind::end;
  std::size_t problem = 0;
  std::size_t number = 0;
  sweep::request asked;
  sweep::machine on;
  std::string why;
  sweep::result came;
  not_run left;
};

std::string to_line(const message& said);
bool read_line(const std::string& line, message& said);

}  // namespace cudnn_checked::sweep
