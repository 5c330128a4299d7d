// SPDX-License-Identifier: BSD-3-Clause
//
// A file that is written whole or not at all: an errata file, a picture.
#pragma once

#include <string>

namespace cudnn_checked::sweep {

/// True if replace_file() can write there, and nothing but a file has the name.  Nothing is left
/// behind.  `error` begins with the path.
bool can_replace_file(const std::string& path, std::string& error);

/// Writes the text beside the file and renames it, so that readers find the old file or the new
/// one, which need not exist.  Owner and mode stay; a link stays a link.  `error` begins with the
/// path.
bool replace_file(const std::string& path, const std::string& text, std::string& error);

}  // namespace cudnn_checked::sweep
