// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace cudnn_checked::cli {

/// True where both are there and are one file or one directory, behind links as well.
bool is_same_file(const char* a, const char* b);

}  // namespace cudnn_checked::cli
