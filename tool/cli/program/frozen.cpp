// SPDX-License-Identifier: BSD-3-Clause
#include "frozen.h"

#include <string_view>

#include "../../core/judge/advice/advice.h"
#include "../../core/model/paths.h"

namespace cudnn_checked::cli {

// The modules without which no Python starts.
static constexpr const char* mark_of_pyinstaller = "base_library.zip";

arena_string libraries_of_frozen(const system_interface& os, const arena_string& program) {
  const arena_string directory = directory_part(program);
  for (const arena_string& folder : {join_path(directory, "_internal"), directory}) {
    if (exists(os, join_path(folder, mark_of_pyinstaller))) return folder;
  }
  return {};
}

arena_string frozen_around(const system_interface& os, const arena_string& directory) {
  constexpr int most_levels = 8;
  arena_string folder = directory;
  for (int level = 0; level < most_levels && folder.size() > 1; ++level) {
    if (exists(os, join_path(folder, mark_of_pyinstaller))) return folder;
    folder = directory_part(folder);
  }
  return {};
}

bool frozen_view::variable(const char* name, arena_string& value) const {
  const bool set = system_view::variable(name, value);
  if (std::string_view(name) != "LD_LIBRARY_PATH") return set;
  value = set && !value.empty() ? libraries_ + ":" + value : libraries_;
  return true;
}

void tell_build_again(finding& f) {
  if (f.weight != severity::error && f.weight != severity::warning) return;
  f.fix = {advice(
      "build it again, with all of cuDNN: pyinstaller --collect-all nvidia.cudnn, and the other "
      "options as before")};
}

}  // namespace cudnn_checked::cli
