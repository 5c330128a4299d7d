// SPDX-License-Identifier: BSD-3-Clause
//
// Words about programs from outside that no guard says.
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* places_of_search() { return "the program's directory, the system's directories, PATH"; }

const char* any_program() { return "a program in another directory"; }

const char* where_any_program_starts() {
  return "A program that is linked with cuDNN starts only if it lies beside it.";
}

const char* no_use_of_cudnn(bool dynamic) {
  if (!dynamic) {
    return ":found|not known|no stamp; its tables of imports and exports cannot be read\n"
           ".They are damaged, or have a form that is not known here.\n"
           ">install it again, or build it again";
  }
  return ":found|none|no stamp; no cuDNN among what it imports\n"
         ".It uses none, or opens one later.\n"
         ">nothing";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
