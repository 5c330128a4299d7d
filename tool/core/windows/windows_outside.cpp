// SPDX-License-Identifier: BSD-3-Clause
//
// Functions that only a check from outside calls, not a program at its start.
#include "../model/paths.h"
#include "../model/platform_words.h"
#include "../system/platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string path_in_variable(const system_interface& os, const char* name) {
  const arena_string value = value_of(os, name);
  return value.empty() ? value : absolute_path(os, value);
}

const char* other_platform_for_pip() { return ""; }
const char* other_platform_for_uv() { return ""; }

arena_string program_of_install(arena_string, arena_string library) { return library; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
