// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Is there a file or directory that may be read?
bool is_readable(const std::string& path);
bool is_directory(const std::string& path);

/// "a directory", "a FIFO", "a socket" or "a device" if the path is one; empty for a regular file
/// and for a path that does not exist.
std::string odd_kind(const std::string& path);

/// A sentence if the path is a dangling link, or a file or directory that this user may not read;
/// otherwise empty, also for a path that does not exist.  For a chain of links it names the last
/// one, which is the one to repair.
std::string why_unusable(const std::string& path);

/// The files of the directory whose names match the pattern ("*", "[0-9]"), sorted, as paths.
std::vector<std::string> files_like(const std::string& directory, const std::string& pattern);

/// At most `count` bytes of the file, from `offset` on.
std::string bytes_of(const std::string& path, unsigned long long offset, std::size_t count);

unsigned long long size_of(const std::string& path);

/// "/a" of "/a/b".
std::string above(const std::string& path);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
