// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../core/json/json.h"

namespace cudnn_checked::cli {

/// Reads a file of JSON with `"schema": 1`.  On failure returns false and says why in `error`,
/// behind the path.  What it makes lies in the arena of the caller.
bool read_report(const string& path, json& result, std::string& error);

}  // namespace cudnn_checked::cli
