// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../sweep/model/request.h"
#include "../words/command_line.h"

namespace cudnn_checked::cli {

/// What the options of `sweep` ask for.  Where one is wrong, returns false and says how, in one
/// line.
bool read_sweep_options(const command_line& given, sweep::request& asked, std::string& wrong);

}  // namespace cudnn_checked::cli
