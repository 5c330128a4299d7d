// SPDX-License-Identifier: BSD-3-Clause
//
// The cuDNN that the Python package of a file asks for: PEP 376 (RECORD), PEP 508 (Requires-Dist).
#pragma once

#include <string>

#include "../core/model/unstamped_program.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// The site-packages above a file: the nearest folder that has a .dist-info; empty where none has.
string site_of(const system_interface& os, const string& file);

/// What the package that has recorded the file asks for, or else a package that requires that one.
cudnn_requirement find_requirement(const system_interface& os, const string& file);

/// Of the text behind "Requires-Dist:"; `text` is empty where it asks for no cuDNN, or asks for it
/// on other platforms only.  `least` is the lowest release that it accepts.
cudnn_requirement read_requirement(const std::string& line);

}  // namespace cudnn_checked::cli
