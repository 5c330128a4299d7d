// SPDX-License-Identifier: BSD-3-Clause
//
// The probe for Linux as one translation unit.
#include "../../core/linux/core.cpp"

#include "gpu_processes.cpp"
#include "platform.cpp"
#include "supervise.cpp"

#include "../program.cpp"
