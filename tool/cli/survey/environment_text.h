// SPDX-License-Identifier: BSD-3-Clause
//
// Environments as text and as JSON.
#pragma once

#include "../../core/json/json.h"
#include "../../core/model/survey.h"

namespace cudnn_checked::cli {

/// A table for each environment in which a file uses cuDNN, or which was not looked at completely.
arena_string environments_text(const arena_vector<environment>& environments);

json environments_json(const arena_vector<environment>& environments);

}  // namespace cudnn_checked::cli
