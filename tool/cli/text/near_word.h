// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace cudnn_checked::cli {

/// "; did you mean verify?" where one of the known words is near to that one; else empty.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& known);

}  // namespace cudnn_checked::cli
