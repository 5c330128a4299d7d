// SPDX-License-Identifier: BSD-3-Clause
//
// Trees are not looked into on Windows: why_unable() has said so before.
#include "../tree.h"

namespace cudnn_checked::cli {

const system_interface& system_of_tree(const arena_string&, const arena_string&, char**,
                                       execution_mode mode) {
  return own_system(mode);
}

arena_string path_of_tree(const arena_string& named) { return named; }

arena_string host_path_of(const arena_string&, const arena_string&) { return {}; }

arena_string path_in_tree(const arena_string&, const arena_string& file) { return file; }

}  // namespace cudnn_checked::cli
