// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../../bundle/bundle.h"

namespace cudnn_checked::cli {

/// The command that makes a finished program use a bundle in that directory.
std::string command_for(const system_interface& os, const bundles::bundle& chosen,
                        const std::string& directory, const std::string& app);

}  // namespace cudnn_checked::cli
