// SPDX-License-Identifier: BSD-3-Clause
//
// The program that judges, for Windows, as one translation unit.
#include "../../spawn/windows/process_start.cpp"
#include "../../spawn/windows/spawn.cpp"
#include "../../spawn/windows/supervised.cpp"
#include "end.cpp"

#include "../program.cpp"
