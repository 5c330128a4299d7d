// SPDX-License-Identifier: BSD-3-Clause
//
// An errata file, read from the disk.
#pragma once

#include <string>

#include "errata.h"

namespace cudnn_checked::sweep {

/// Reads the file.  One that does not exist is one without text.  False, with a message that begins
/// with the path, if it cannot be read or is no errata file.
bool load_errata(const std::string& path, errata_file& result, std::string& error);

}  // namespace cudnn_checked::sweep
