// SPDX-License-Identifier: BSD-3-Clause
//
// For the source that CMake generates for each guarded target, and for nothing else: the stamp
// twice, and, where asked, the calls that make the program check itself before main().  The guard
// reads a plain constant.  Readers from outside (`readelf -n`, `cudnn-checked verify`) find the
// same text in an ELF note without running the program.  patchelf and strip move or remove notes,
// and the guard must not depend on them.
#pragma once

#include <cstddef>

extern "C" {
/// Before other libraries' initialisers: the files.  Refuses with _exit(78).
void cudnn_checked_0_1_before_initialisers(const char* stamp, char** environment);
/// Before main(): the driver, the GPUs and the program's device code.
void cudnn_checked_0_1_before_main(const char* stamp);
}

// .preinit_array is run by glibc alone, in executables alone, and before everything else;
// MemorySanitizer is not ready there.
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define CUDNN_CHECKED_NO_PREINIT
#endif
#endif
#if !defined(__GLIBC__)
#define CUDNN_CHECKED_NO_PREINIT
#endif

// The note: System V ABI, "Note Section"; name and text are padded to four bytes.
#define CUDNN_CHECKED_DEFINE_STAMP(symbol, json)                                    \
  namespace {                                                                       \
  struct symbol##_note {                                                            \
    unsigned int name_size;                                                         \
    unsigned int text_size;                                                         \
    unsigned int type;                                                              \
    char name[16];                                                                  \
    char text[(sizeof(json) + 3) / 4 * 4];                                          \
  };                                                                                \
  __attribute__((section(".note.cudnn_checked"), used, aligned(4)))                 \
  const symbol##_note symbol##_data = {14, sizeof(json), 1, "cudnn_checked", json}; \
  const char symbol##_text[] = json;                                                \
  }                                                                                 \
  extern "C" __attribute__((visibility("hidden"))) const char* symbol(void);        \
  extern "C" const char* symbol(void) { return symbol##_text; }

#if defined(CUDNN_CHECKED_NO_PREINIT)
#define CUDNN_CHECKED_AT_PREINIT(symbol)
#else
#define CUDNN_CHECKED_AT_PREINIT(symbol)                                                \
  namespace {                                                                           \
  void symbol##_preinit(int, char**, char** environment) {                              \
    cudnn_checked_0_1_before_initialisers(symbol(), environment);                       \
  }                                                                                     \
  __attribute__((section(".preinit_array"),                                             \
                 used)) void (*symbol##_entry)(int, char**, char**) = symbol##_preinit; \
  }
#endif

#define CUDNN_CHECKED_AT_STARTUP(symbol)                                \
  CUDNN_CHECKED_AT_PREINIT(symbol)                                      \
  namespace {                                                           \
  __attribute__((constructor(101), used)) void symbol##_constructor() { \
    cudnn_checked_0_1_before_main(symbol());                            \
  }                                                                     \
  }
