// SPDX-License-Identifier: BSD-3-Clause
//
// Words that no program needs at its start: what is judged from outside.
#include "../model/library_spelling.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* cudnn_name_prefix() { return "libcudnn"; }

const char* places_of_search() { return "LD_LIBRARY_PATH, ld.so.cache, default path"; }

const char* failed_start() {
  return "The loader ends it before main(): \"error while loading shared libraries\".";
}

bool has_debian_packages() { return true; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
