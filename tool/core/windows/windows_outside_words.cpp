// SPDX-License-Identifier: BSD-3-Clause
//
// Words that no program needs at its start: what is judged from outside.
#include "../model/library_spelling.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* cudnn_name_prefix() { return "cudnn"; }

const char* places_of_search() { return "the program's directory, the system's directories, PATH"; }

const char* failed_start() {
  return "Windows ends it before main(): exit status 0xc0000135 (STATUS_DLL_NOT_FOUND).";
}

bool has_debian_packages() { return false; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
