// SPDX-License-Identifier: BSD-3-Clause
//
// The text of an error where none has happened: source code, a test that passed, a patch, and the
// logs of other software.
#pragma once

#include <cstddef>
#include <string_view>

#include "log_text.h"

namespace cudnn_checked::cli {

/// Is the text that begins at `at` on a line that only has the words of an error?
bool only_mentions(const log_text& log, std::size_t at);

/// Where the part of a patch ends that "@@ -1,2 +1,3 @@" begins there; `at` if it is none.
std::size_t end_of_hunk(const log_text& log, std::size_t at);

}  // namespace cudnn_checked::cli
