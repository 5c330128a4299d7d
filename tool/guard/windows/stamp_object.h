// SPDX-License-Identifier: BSD-3-Clause
//
// For the source that CMake generates for each guarded target, and for nothing else: the stamp
// twice, and, where asked, the call that makes the program check itself before main().  The guard
// reads a plain constant.  Readers from outside (`cudnn-checked verify`) find the same text in the
// section .cudnnck without running the program, in the form of an ELF note, as on Linux.
#pragma once

#include <cstddef>

extern "C" {
/// Before main(): the files, the driver, the GPUs and the program's device code.
void cudnn_checked_0_1_before_main(const char* stamp);
}

// A section and an initialiser in both dialects.  The names of sections in a program have at most
// eight letters.  Of the C runtime's initialisers, XCT comes behind the libraries' (XCL) and before
// those of the program (XCU): Microsoft, "CRT initialization".  /include keeps what nothing uses.
#if defined(_MSC_VER)
#define CUDNN_CHECKED_KEPT_IN(name, symbol) \
  __pragma(section(name, read))             \
      __pragma(comment(linker, "/include:" #symbol)) extern "C" __declspec(allocate(name))
#define CUDNN_CHECKED_AT_STARTUP(symbol)                                              \
  extern "C" void symbol##_constructor() { cudnn_checked_0_1_before_main(symbol()); } \
  CUDNN_CHECKED_KEPT_IN(".CRT$XCT", symbol##_entry)                                   \
  void (*const symbol##_entry)() = symbol##_constructor;
#else
#define CUDNN_CHECKED_KEPT_IN(name, symbol) \
  extern "C" __attribute__((section(name), used, aligned(4)))
#define CUDNN_CHECKED_AT_STARTUP(symbol)                                \
  namespace {                                                           \
  __attribute__((constructor(101), used)) void symbol##_constructor() { \
    cudnn_checked_0_1_before_main(symbol());                            \
  }                                                                     \
  }
#endif

#define CUDNN_CHECKED_DEFINE_STAMP(symbol, json)                                    \
  struct symbol##_note {                                                            \
    unsigned int name_size;                                                         \
    unsigned int text_size;                                                         \
    unsigned int type;                                                              \
    char name[16];                                                                  \
    char text[(sizeof(json) + 3) / 4 * 4];                                          \
  };                                                                                \
  CUDNN_CHECKED_KEPT_IN(".cudnnck", symbol##_data)                                  \
  const symbol##_note symbol##_data = {14, sizeof(json), 1, "cudnn_checked", json}; \
  extern "C" const char* symbol(void);                                              \
  extern "C" const char* symbol(void) {                                             \
    static const char text[] = json;                                                \
    return text;                                                                    \
  }
