// SPDX-License-Identifier: BSD-3-Clause
//
// What a file of a place is, where it cannot be used.
#pragma once

#include <string>
#include <vector>

#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Is there a file or directory that may be read?
bool is_readable(const system_interface& os, const std::string& path);
bool is_directory(const system_interface& os, const std::string& path);

/// "a directory", "a FIFO", "a socket" or "a device" if the path is one; empty for a regular file
/// and for a path that does not exist.
std::string odd_kind(const system_interface& os, const std::string& path);

/// A sentence if the path is a dangling link, or a file or directory that this user may not read;
/// otherwise empty, also for a path that does not exist.  For a chain of links it names the last
/// one, which is the one to repair.
std::string why_unusable(const system_interface& os, const std::string& path);

/// The files of the directory whose names match the pattern ("*", "[0-9]"), sorted, as paths.
std::vector<std::string> files_like(const system_interface& os, const std::string& directory,
                                    const std::string& pattern);

/// The bytes of a regular file that may be read; else 0.
unsigned long long size_of(const system_interface& os, const std::string& path);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
