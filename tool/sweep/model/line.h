// SPDX-License-Identifier: BSD-3-Clause
//
// What a worker and the process that has started it say to each other, a line each.
//
//     to the worker      the request, then one assignment after the other
//     from the worker    what it computes on, or why it cannot; then of each assignment that its
//                        plans are known, that it begins with a plan (before anything can go wrong
//                        with it) and what came of it; then that the assignment is done
//
// A reader gives false where a line is cut, damaged or of another kind, and then leaves the value
// as it finds it, or partly read.
#pragma once

#include <cstddef>
#include <string>

#include "record.h"

namespace cudnn_checked::sweep {

std::string to_line(const request& asked);
bool read_line(const std::string& line, request& asked);

/// A problem of the list that both sides make of the request, from one of its plans on.  Plan 0 is
/// the question which plans there are; the worker begins with it as with the others (engine -1).
struct assignment {
  std::size_t problem = 0;
  std::size_t first_plan = 0;
};

std::string to_line(const assignment& given);
bool read_line(const std::string& line, assignment& given);

/// What a worker says.
struct message {
  enum class kind {
    machine,   ///< `on`: it can compute, and waits for an assignment
    cannot,    ///< `why`, in one line: it cannot compute, and ends; `on.gpus`
    prepares,  ///< plans of `problem` are known; its numbers and their reference are computed now
    begin,     ///< `with`, plan number `number` of `problem`, is about to be built and run
    built,     ///< plan number `number` can be run: what follows takes no compiler
    result,    ///< `came`: of the plan that it has begun with; one that is not supported needs none
    counts,    ///< plans of this assignment that were not run
    end        ///< all plans of `problem` are done
  };
  kind what = kind::end;
  std::size_t problem = 0;
  std::size_t number = 0;
  plan with;
  result came;
  machine on;
  std::string why;
  std::size_t unsupported = 0;  ///< cuDNN builds no such plan
  std::size_t blocked = 0;      ///< the errata file matches
  std::size_t too_large = 0;    ///< the workspace is beyond the limit of the request
  std::size_t skipped = 0;      ///< left out to save time: compiled at run time, no best offer
};

std::string machine_line(const machine& on);
std::string cannot_line(const std::string& why, int gpus = 0);
std::string prepares_line(std::size_t problem);
std::string begin_line(std::size_t problem, std::size_t number, const plan& with);
std::string built_line(std::size_t problem, std::size_t number);
std::string result_line(const result& came);
std::string counts_line(std::size_t problem, std::size_t unsupported, std::size_t blocked,
                        std::size_t too_large, std::size_t skipped);
std::string end_line(std::size_t problem);
bool read_line(const std::string& line, message& said);

}  // namespace cudnn_checked::sweep
