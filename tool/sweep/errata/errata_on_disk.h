// SPDX-License-Identifier: BSD-3-Clause
//
// An errata file on the disk.
#pragma once

#include <string>

#include "errata.h"

namespace cudnn_checked::sweep {

/// Reads the file.  One that does not exist is one without text.  False, with a message that begins
/// with the path, where it cannot be read or is no errata file.
bool load_errata(const std::string& path, errata_file& result, std::string& error);

/// True if store_errata() can write there.  Nothing is left behind.
bool can_store_errata(const std::string& path, std::string& error);

/// Writes the text beside the file and renames it, so that readers find the old file or the new
/// one. The mode stays; a link stays a link.
bool store_errata(const std::string& path, const std::string& text, std::string& error);

}  // namespace cudnn_checked::sweep
