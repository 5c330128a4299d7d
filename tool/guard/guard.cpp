// SPDX-License-Identifier: BSD-3-Clause
//
// The guard as one translation unit: what a guard reaches of core and the parts below, with
// internal names.  Only the functions of guard.h and stamp_object.h are seen by the linker; they
// are weak and hidden.
#include "../core/for_programs.cpp"

#include "check.cpp"
#include "environment.cpp"
#include "left_out.cpp"
#include "linux/own_file.cpp"
#include "linux/refusal.cpp"
#include "linux/report_file.cpp"
#include "linux/said_before.cpp"
#include "own_environments.cpp"

#include "c_api.cpp"
#include "startup.cpp"
