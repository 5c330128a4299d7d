// SPDX-License-Identifier: BSD-3-Clause
//
// A cuDNN that lies deeper in a directory than doctor looks: PyInstaller's "_internal", the
// "opt/cudnn/lib" of an AppDir.
#pragma once

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

struct cudnn_below {
  arena_string directory;  ///< the nearest that has a libcudnn; empty: none was seen
  bool all_seen = true;    ///< no limit kept anything from being looked at
};

/// Searches the directory and those below it.
cudnn_below find_cudnn_below(const system_interface& os, const arena_string& directory);

/// Behind the name of a directory in which none was found: ": no cuDNN in it", or why that is not
/// known.
const char* no_cudnn_in(const system_interface& os, const arena_string& directory);

}  // namespace cudnn_checked::cli
