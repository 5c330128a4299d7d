// SPDX-License-Identifier: BSD-3-Clause
#include "../searched_name.h"

#include "../../../core/model/paths.h"

namespace cudnn_checked::cli {

arena_string searched_name(const arena_string& name) { return lower_case(name); }

}  // namespace cudnn_checked::cli
