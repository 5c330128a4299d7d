// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../core/model/arena_string.h"

namespace cudnn_checked::cli {

/// The name of a library as the loader compares it: on Windows without upper case.
arena_string searched_name(const arena_string& name);

}  // namespace cudnn_checked::cli
