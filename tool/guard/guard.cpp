// SPDX-License-Identifier: BSD-3-Clause
//
// The guard as one translation unit: all of core and the parts below, with internal names.  Only
// the functions of guard.h and stamp_object.h are seen by the linker; they are weak and hidden.
#define CUDNN_CHECKED_JUDGES_INSTALLS false
#include "../core/core.cpp"

#include "check.cpp"
#include "environment.cpp"
#include "own_file.cpp"
#include "refusal.cpp"
#include "report_file.cpp"
#include "said_before.cpp"

#include "c_api.cpp"
#include "startup.cpp"
