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

/// What the command line does on one platform and not on another.
enum class ability {
  trees,  ///< verify --root
  sweeps
};

/// "sweep: not on Windows yet": the error of who asks for it; empty where it can be done.
std::string why_unable(ability what);

}  // namespace cudnn_checked::cli
