// SPDX-License-Identifier: BSD-3-Clause
//
// The machines that a file can be for: the e_machine of its ELF header, and its class (System V
// ABI, "ELF Header").  The find module has the names of those that cuDNN exists for as well
// (cmake/CuDNNChecked/search/prefixes.cmake, and linux/names.cmake).
#pragma once

#include "../namespace.h"
#include "arena_string.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// e_machine; added to it where the file is of the 32-bit class.
inline constexpr int machine_of_32_bits = 0x10000;

inline constexpr int machine_aarch64 = 183;

/// The machine that this program was compiled for, or is to judge files for; 0 if it has no name
/// here.
#if defined(CUDNN_CHECKED_MACHINE)
inline constexpr int own_machine = CUDNN_CHECKED_MACHINE;
#elif defined(__x86_64__)
inline constexpr int own_machine = 62;
#elif defined(__aarch64__)
inline constexpr int own_machine = 183;
#else
inline constexpr int own_machine = 0;
#endif

/// "x86_64", "aarch64", "ppc64le", "i386"; "ELF machine 999" for those that have no name here;
/// "another machine" for 0.
arena_string machine_name(int machine);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
