// SPDX-License-Identifier: BSD-3-Clause
#include "told_system.h"

namespace cudnn_checked::prove {

void told_system::set_mapped(const arena_vector<arena_string>& paths) {
  mapped_.clear();
  for (const arena_string& path : paths) {
    const library_file contents = read_library(*this, path, 0);
    mapped_object object;
    object.path = path;
    object.soname = mapped_name(contents, path);
    object.build_id = contents.build_id;
    mapped_.push_back(object);
  }
}

}  // namespace cudnn_checked::prove
