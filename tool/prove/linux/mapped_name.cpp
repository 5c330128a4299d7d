// SPDX-License-Identifier: BSD-3-Clause
#include "../../core/model/paths.h"
#include "../told_system.h"

namespace cudnn_checked::prove {

arena_string mapped_name(const library_file& contents, const arena_string& path) {
  return contents.soname.empty() ? base_name(path) : contents.soname;
}

}  // namespace cudnn_checked::prove
