// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

#include "../../core/model/paths.h"
#include "../../core/system/own_system.h"
#include "../../core/windows_from_linux/dll_folders.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

void keep_line_feeds() {}

const char* start_of_path_here() { return "./"; }

arena_vector<arena_string> wheel_platforms(const request&) { return {}; }

const system_interface& system_of_files(const request& asked) {
  return *make_in_arena<dll_folders>(own_system(), joined(asked.all("search"), ";"),
                                     asked["program"]);
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
