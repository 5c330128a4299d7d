// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../core/json/json.h"
#include "../../core/library/library_file.h"
#include "../../core/model/observation.h"

namespace cudnn_checked::cli {

/// How many values a report may have.  A sweep of a minute has 160,000.
constexpr std::size_t most_values = 200000;
constexpr std::size_t most_values_of_sweep = 2000000;

/// Reads a file of JSON with `"schema": 1`.  On failure returns false and says why in `error`,
/// behind the path.  What it makes lies in the arena of the caller.
bool read_report(const arena_string& path, json& result, std::string& error,
                 std::size_t most = most_values);

/// Adds what is known of a library of cuDNN to `tree`.
void describe_library(const cudnn_file& file, const library_file& contents, json& tree);

}  // namespace cudnn_checked::cli
