// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that write the constants of a program.
#pragma once

#include <cstdint>
#include <string>

#include "../../../core/model/observation.h"
#include "../model/problem.h"
#include "../model/result.h"

namespace cudnn_checked::sweep {

/// Writes "{1, 2, 2}".
std::string braces(const std::int64_t* values, int count);

/// A type of numbers, and cuDNN's name for it.
struct named_type {
  element type;
  const char* name;
};
constexpr named_type named_types[] = {{element::fp32, "CUDNN_DATA_FLOAT"},
                                      {element::fp16, "CUDNN_DATA_HALF"},
                                      {element::bf16, "CUDNN_DATA_BFLOAT16"},
                                      {element::e4m3, "CUDNN_DATA_FP8_E4M3"},
                                      {element::e5m2, "CUDNN_DATA_FP8_E5M2"}};

/// Returns "CUDNN_DATA_HALF".
const char* type_name(element type);

/// Writes the line "constexpr int spatial = 2;  // comment".
std::string constant(const std::string& name, const std::string& value, const char* comment = "");

/// Writes the constants that say how to make and execute the plan, and which failures to expect
/// besides wrong numbers.
std::string plan_constants(const result& r);

/// Writes the failure of a fused operation, which replaces graph_failure.inc.  `cudnn` is the
/// result of cudnnGetVersion() of the release that failed.  Empty if this release of the sweep has
/// no such problem.
std::string graph_failure(const problem& p, const result& r, unsigned long long cudnn);

/// That of a recurrent network, in place of network_failure.inc.  Empty: this release reads no such
/// network.
std::string network_failure(const problem& p, const result& r);

}  // namespace cudnn_checked::sweep
