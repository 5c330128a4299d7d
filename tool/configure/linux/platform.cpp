// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

void keep_line_feeds() {}

const char* start_of_path_here() { return "./"; }

// Of those of Windows only what messages need is known.
bool judges_files_of(const request& asked) { return asked["system"] != "windows"; }

arena_vector<arena_string> wheel_platforms(const request& asked) {
  const arena_string machine = asked["machine"];
  // Where this machine builds for Windows without an emulator.
  if (asked["system"] == "windows") {
    return {machine == "x86_64" ? arena_string("win_amd64") : "win_" + machine};
  }
  return {"manylinux_2_27_" + machine, "manylinux2014_" + machine};
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
