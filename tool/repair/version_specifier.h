// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of Python packages against what others require: PEP 440, "Version specifiers".
#pragma once

#include <string>

#include "../core/model/observation.h"

namespace cudnn_checked::repairs {

/// Is a number ("9.5.1.17") one that the specifiers ("<10.0,>=9.3.0.75") allow?  Unknown where one
/// of them is more than numbers and points: a pre-release, a local version, an epoch.
answer allows(const std::string& specifiers, const std::string& number);

}  // namespace cudnn_checked::repairs
