// SPDX-License-Identifier: BSD-3-Clause
//
// The program that judges, for Linux, as one translation unit.
#include "../../spawn/linux/spawn.cpp"
#include "../../spawn/linux/supervised.cpp"
#include "end.cpp"

#include "../program.cpp"
