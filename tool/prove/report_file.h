// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/json/json.h"
#include "../core/model/arena_string.h"

namespace cudnn_checked::prove {

/// Replaces the file at once (a file beside it, then rename): whoever reads it sees a whole report,
/// also when this process dies.  Of one that proves something, what CMake reads of it is written
/// too, into "<path>.proof".  On failure returns false and says why in `error`.
bool write_report(const arena_string& path, const json& report, arena_string& error,
                  bool untried = false);

}  // namespace cudnn_checked::prove
