// SPDX-License-Identifier: BSD-3-Clause
//
// The operating system by name, and what this program cannot do on it.
#pragma once

#include <string>

namespace cudnn_checked::cli {

/// "Linux".
const char* name_of_system();

/// "Linux 6.1.0, x86_64, glibc 2.36": its kernel, its machine, its C library.
std::string describe_system();

/// Abilities of the command line that not every platform has.
enum class ability {
  trees,  ///< verify --root
  sweeps,
  pkg_config,
  guard_objects
};

/// The error if this system cannot do it: "sweep: not on Windows yet"; empty if it can.
std::string why_unable(ability what);

}  // namespace cudnn_checked::cli
