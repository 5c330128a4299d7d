// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "survey.h"

namespace cudnn_checked::cli {

/// What is wrong with the machine, beside the installs themselves: pure, the worst first.
std::vector<finding> judge_survey(const survey& all);

}  // namespace cudnn_checked::cli
