// SPDX-License-Identifier: BSD-3-Clause
#include "../model/platform_words.h"
#include "other_rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* search_variable() { return "PATH"; }
const char* search_separator() { return ";"; }
const char* search_separators() { return ";"; }

const char* driver_advice() { return "install NVIDIA's driver for Windows"; }

const char* advice_for(dependency_kind kind) {
  return kind == dependency_kind::libz
             ? "put zlibwapi.dll of 64 bits beside the program: NVIDIA's guide of cuDNN 8, "
               "\"Installing zlib\", says where it is"
             : nullptr;
}

const char* place_of_probe() { return "the PATH of the probe"; }

const char* failed_load() {
  return "Windows does not load it, or it crashes: cuDNN ends the process or continues without it.";
}

const char* known_loader(const arena_string& decides) {
  return decides == rules_of_user
             ? "=expected|a program\n"
               ":found|%s\n"
               ">verify the program that loads it"
             : "=expected|no DLL for another machine in the search\n"
               ":found|%s\n"
               ".Microsoft does not document whether Windows ends its search there or goes on.\n"
               ">put the directory with the DLLs for this machine first in PATH, or remove the "
               "others";
}

bool has_debian_packages() { return false; }

// Microsoft, "NTSTATUS Values" and, of what is loaded late, "Error handling and notification" of
// delay-loaded DLLs: 0xc06d0000 and the system's error code.
const char* failed_start(const found_file& library, bool delayed) {
  switch (library.state) {
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

const char* not_a_library() { return "not a DLL"; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
