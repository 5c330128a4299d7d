// SPDX-License-Identifier: BSD-3-Clause
//
// The probe for Windows as one translation unit.
#include "../../core/windows/core.cpp"

#include "gpu_processes.cpp"
#include "platform.cpp"
#include "supervise.cpp"

#include "../../spawn/windows/process_start.cpp"
#include "../../spawn/windows/spawn.cpp"

#include "../program.cpp"
