// SPDX-License-Identifier: BSD-3-Clause
//
// The guard for Linux as one translation unit, with internal names.  Only the functions of guard.h
// and stamp_object.h are seen by the linker; they are weak and hidden.
#define CUDNN_CHECKED_ONE_UNIT
#include "../../core/linux/for_programs.cpp"

#include "../../core/for_guard.cpp"

#include "entry.h"
#include "late_imports.cpp"
#include "left_out.cpp"
#include "own_file.cpp"
#include "said_page.cpp"

#include "../parts.cpp"

#include "entries.cpp"
