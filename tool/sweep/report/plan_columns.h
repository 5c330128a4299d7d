// SPDX-License-Identifier: BSD-3-Clause
//
// What a report has of each plan, in this order.
#pragma once

#include <cstddef>

namespace cudnn_checked::sweep {

constexpr const char* plan_columns[] = {
    "plan",          "outcome",         "microseconds", "relative_error", "offers",    "math",
    "deterministic", "compiled_at_run", "alignment",    "element_error",  "tolerance", "unwritten",
    "elements",      "workspace",       "right_with",   "detail"};

constexpr std::size_t short_plan_columns = 5;  ///< a plan without a defect has only these
constexpr std::size_t all_plan_columns = sizeof plan_columns / sizeof *plan_columns;

}  // namespace cudnn_checked::sweep
