// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/string.h"
#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Writes to stderr without stdio, and survives a closed pipe.
void write_to_stderr(const string& text);

/// Writes a file whole; false where it cannot be written.
bool write_file(const string& path, const string& text);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
