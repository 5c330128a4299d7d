// SPDX-License-Identifier: BSD-3-Clause
//
// From a wheel to the directory that the loader is led to.
#include "../../model/format.h"
#include "../../model/library_spelling.h"
#include "wheel_commands.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

fix_line then(const fix_line& first, const fix_line& second) {
  fix_line both = command(first.text + " && " + second.text);
  // If the effect of one command is not known, the effect of the two together is not known either.
  if (first.steps.empty() || second.steps.empty()) return both;
  both.steps = first.steps;
  both.steps.append(second.steps);
  return both;
}

arena_string folder_of_toolkit_wheel(const arena_string& requirement, int cuda_major) {
  const arena_string name = name_of_order(requirement);
  const arena_string stem = without_number(name);
  arena_string folder = format("cu%d", cuda_major);
  if (stem != name) {
    constexpr std::size_t vendor = sizeof("nvidia-") - 1;
    constexpr std::size_t ending = sizeof("-cu") - 1;
    folder.clear();
    for (const char c : stem.substr(vendor, stem.size() - vendor - ending)) {
      folder += c == '-' ? '_' : c;
    }
  }
  return format("/nvidia/%s/%s", folder, folder_of_wheel_libraries());
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
