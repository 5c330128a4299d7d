// SPDX-License-Identifier: BSD-3-Clause
//
// The probe for Windows as one translation unit.
#include "gpu_processes.cpp"
#include "platform.cpp"

#include "../program.cpp"
