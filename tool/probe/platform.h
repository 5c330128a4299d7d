// SPDX-License-Identifier: BSD-3-Clause
//
// What the probe needs of a platform besides gpu_processes.h: linux/platform.cpp,
// windows/platform.cpp.
#pragma once

#include "../core/system/system_interface.h"

namespace cudnn_checked::probe {

using any_function = void (*)();

/// A function of the cuDNN that is loaded; null where it has none of that name.
any_function find_function(const char* name);

/// An environment variable for what is loaded later.
void set_where_unset(const char* name, const char* value);

/// The system of this process, whose main() was given the environment.
const system_interface& system_of_probe(char** environment);

}  // namespace cudnn_checked::probe
