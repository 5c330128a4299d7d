// SPDX-License-Identifier: BSD-3-Clause
//
// The probe for Linux as one translation unit.  It is compiled beside core/linux/core.cpp: core
// knows nothing of a cuDNN, so that two compilers work at a time, and a compiler cache has core
// once for every cuDNN.
#include "gpu_processes.cpp"
#include "platform.cpp"
#include "supervise.cpp"

#include "../program.cpp"
