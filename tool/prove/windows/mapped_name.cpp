// SPDX-License-Identifier: BSD-3-Clause
#include "../../core/model/paths.h"
#include "../../core/windows/windows_system.h"
#include "../told_system.h"

namespace cudnn_checked::prove {

// A module serves later requests by the name of its file, in any case.
arena_string mapped_name(const library_file&, const arena_string& path) {
  return lower_case(base_name(path));
}

}  // namespace cudnn_checked::prove
