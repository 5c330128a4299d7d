// SPDX-License-Identifier: BSD-3-Clause
//
// What the constants of a program are written with.
#pragma once

#include <cstdint>
#include <string>

#include "../../../core/model/observation.h"
#include "../model/problem.h"
#include "../model/result.h"

namespace cudnn_checked::sweep {

/// "{1, 2, 2}"
std::string braces(const std::int64_t* values, int count);

/// The types of numbers, as cuDNN names them.
struct named_type {
  element type;
  const char* name;
};
constexpr named_type named_types[] = {{element::fp32, "CUDNN_DATA_FLOAT"},
                                      {element::fp16, "CUDNN_DATA_HALF"},
                                      {element::bf16, "CUDNN_DATA_BFLOAT16"},
                                      {element::e4m3, "CUDNN_DATA_FP8_E4M3"},
                                      {element::e5m2, "CUDNN_DATA_FP8_E5M2"}};

/// "CUDNN_DATA_HALF"
const char* type_name(element type);

/// "constexpr int spatial = 2;  // comment" and the end of the line.
std::string constant(const std::string& name, const std::string& value, const char* comment = "");

/// How the plan is made and executed, and what is looked for besides wrong numbers.
std::string plan_constants(const result& r);

/// The failure of a fused operation, in place of graph_failure.inc.  `cudnn` is the release that
/// failed, as cudnnGetVersion() says it.  Empty: this release knows no such problem.
std::string graph_failure(const problem& p, const result& r, unsigned long long cudnn);

}  // namespace cudnn_checked::sweep
