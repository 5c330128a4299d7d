// SPDX-License-Identifier: BSD-3-Clause
//
// Words that no program needs at its start: what is judged from outside.
#include "../model/library_spelling.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* cudnn_name_prefix() { return "cudnn"; }
const char* folder_of_wheel_libraries() { return "bin"; }

const char* places_of_search() { return "the program's directory, the system's directories, PATH"; }

// Microsoft, "NTSTATUS Values" and, of what is loaded late, "Error handling and notification" of
// delay-loaded DLLs: 0xc06d0000 and the system's error code.
const char* failed_start(file_state state, bool delayed) {
  switch (state) {
    case file_state::missing:
      return delayed ? "The first call into it ends the program: exception 0xc06d007e."
                     : "Windows ends it before main(): exit status 0xc0000135 "
                       "(STATUS_DLL_NOT_FOUND).";
    case file_state::unreadable:
    case file_state::directory:
      return delayed ? "The first call into it ends the program: exception 0xc06d0005."
                     : "Windows ends it before main(): exit status 0xc0000022 "
                       "(STATUS_ACCESS_DENIED).";
    case file_state::unwritten:
      return "Windows loads it: a call into what was never written crashes.";
    default:
      return delayed ? "The first call into it ends the program: exception 0xc06d00c1."
                     : "Windows ends it before main(): exit status 0xc000007b "
                       "(STATUS_INVALID_IMAGE_FORMAT).";
  }
}

const char* failed_call(bool now) {
  return now ? "Windows ends it before main(): exit status 0xc0000139 "
               "(STATUS_ENTRYPOINT_NOT_FOUND)."
             : "It would start, and the first call ends it: exception 0xc06d007f.";
}

const char* call_that_opens() { return "LoadLibrary()"; }

const char* any_program() { return "a program in another directory"; }

const char* where_any_program_starts() {
  return "A program that is linked with cuDNN starts only if it lies beside it.";
}

const char* no_use_of_cudnn() {
  return ":found|none|no stamp; no cuDNN among what it imports\n"
         ".It uses none, or opens one later.\n"
         ">nothing";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
