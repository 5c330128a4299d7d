// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

#include <fcntl.h>
#include <io.h>

#include <cstdio>

#include "../../core/system/own_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

void keep_line_feeds() { (void)_setmode(_fileno(stdout), _O_BINARY); }

const char* start_of_path_here() { return ".\\"; }

arena_vector<arena_string> wheel_platforms(const request& asked) {
  const arena_string machine = asked["machine"];
  return {machine == "x86_64" ? arena_string("win_amd64") : "win_" + machine};
}

const system_interface& system_of_files(const request&) { return own_system(); }

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
