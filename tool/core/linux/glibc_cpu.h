// SPDX-License-Identifier: BSD-3-Clause
//
// What glibc's loader makes of an x86-64 CPU: directories that it searches, and $PLATFORM.
#pragma once

#include "../model/arena_string.h"
#include "../model/version.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The answers of CPUID (Intel SDM, "CPUID", "XGETBV").
struct cpu_answers {
  bool intel = false;
  unsigned leaf_1 = 0;         ///< CPUID.1:ECX
  unsigned leaf_7 = 0;         ///< CPUID.7.0:EBX
  unsigned leaf_extended = 0;  ///< CPUID.80000001H:ECX
  unsigned leaf_xsave = 0;     ///< CPUID.0DH.1:EAX
  unsigned saved = 0;          ///< XCR0: the registers that the kernel saves
};

/// The answers of this CPU; all 0 if it is not of x86-64.
cpu_answers answers_of_cpu();

struct cpu_words {
  int level = 1;          ///< of the x86-64 psABI: glibc-hwcaps/x86-64-v3
  bool avx512_1 = false;  ///< a directory of glibc before 2.37
  arena_string platform;  ///< what $PLATFORM stands for
};

/// `tunables` is GLIBC_TUNABLES; an unknown release counts as a new one.
cpu_words words_of_cpu(const cpu_answers& cpu, arena_string tunables, version glibc);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
