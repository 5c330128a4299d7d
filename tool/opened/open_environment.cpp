// SPDX-License-Identifier: BSD-3-Clause
#include "../core/loader/loader.h"
#include "../core/observe/observe.h"
#include "../core/system/own_system.h"
#include "library.h"
#include "opened.h"

namespace cudnn_checked::opened {

/// True where that library could be opened from the environment that cuDNN lies in.
static bool open_from_environment(const observation& observed, const dependency& asked) {
  for (const arena_string& path : places_in_environment(observed, asked)) {
    if (open_for_others(path)) return true;
  }
  return false;
}

void open_environment(int cudnn_major) {
  // An opened library asks for more: NVRTC for its builtins.
  constexpr int most_rounds = 3;
  for (int round = 0; round < most_rounds; ++round) {
    const system_interface& os = own_system();
    loader search(os);
    observation observed;
    observe_files(search, cudnn_major, observed);
    observe_dependencies(search, observed);
    observe_python_environments(os, observed);
    bool opened = false;
    for (const dependency& asked : observed.dependencies) {
      if (asked.state != file_state::missing || asked.mapped) continue;
      opened = open_from_environment(observed, asked) || opened;
    }
    if (!opened) return;
  }
}

}  // namespace cudnn_checked::opened
