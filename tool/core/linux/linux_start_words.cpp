// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader makes of a program's start, in words.
#include "../model/found_file.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* places_of_search() { return "LD_LIBRARY_PATH, ld.so.cache, default path"; }

// The length comes before all that is in it (glibc, elf/dl-load.c, open_verify).
static constexpr const char* too_short = "The loader ends it before main(): \"file too short\".";
static constexpr unsigned long long bytes_of_header = 64;  // sizeof(Elf64_Ehdr)

const char* failed_start(const found_file& library, bool) {
  const bool has_contents =
      library.state == file_state::not_elf || library.state == file_state::refused;
  if (has_contents && library.size < bytes_of_header) return too_short;
  switch (library.state) {
    case file_state::missing:
    case file_state::unreadable:
      return "The loader ends it before main(): \"error while loading shared libraries\".";
    case file_state::empty:
      return too_short;
    case file_state::not_elf:
      return "The loader ends it before main(): \"invalid ELF header\".";
    case file_state::fifo:
      return "The loader waits for ever for who writes to it.";
    case file_state::directory:
    case file_state::socket:
    case file_state::device:
      return "The loader ends it before main(): it cannot read it.";
    case file_state::no_exec:
      return "The loader ends it before main(): \"failed to map segment from shared object\".";
    case file_state::refused:
      return "The loader ends it before main(): it refuses the file's header.";
    case file_state::unwritten:
      return "The loader maps it: a call into what was never written crashes.";
    case file_state::foreign:
      return "The loader passes it over, finds no other, and ends the program before main().";
    default:
      return "The loader maps it; an access beyond its end raises SIGBUS, before or after main().";
  }
}

const char* failed_call(bool now) {
  return now ? "The loader ends it before main(), because it binds at the start: \"undefined "
               "symbol\"."
             : "It would start, and the first call ends it: \"symbol lookup error\".";
}

const char* call_that_opens() { return "dlopen()"; }

const char* any_program() { return "a program without a run path"; }

const char* where_any_program_starts() {
  return "A program that is linked with cuDNN starts only if it has a run path.";
}

// A statically linked program has no dynamic section.
const char* no_use_of_cudnn(bool) {
  return ":found|none|no stamp; no cuDNN in NEEDED, in its run path or required by its package\n"
         ".It uses none, or opens one later.\n"
         ">nothing\n"
         ">verify the library that uses cuDNN, such as libtorch_cuda.so";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
