// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/arena_string.h"

namespace cudnn_checked::prove {

/// Replaces the file at once (a file beside it, then rename): whoever reads it sees a whole report,
/// also when this process dies.  `proof` is what CMake reads of it, and is written into
/// "<path>.proof"; empty: it proves nothing.  On failure returns false and says why in `error`.
bool write_report(const arena_string& path, const arena_string& report, const arena_string& proof,
                  arena_string& error);

}  // namespace cudnn_checked::prove
