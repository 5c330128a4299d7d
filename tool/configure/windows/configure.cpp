// SPDX-License-Identifier: BSD-3-Clause
//
// The configure program for Windows as one translation unit.  With CUDNN_CHECKED_CORE_APART it is
// without core, which is compiled beside it; ../program.cpp has its other parts.
#ifndef CUDNN_CHECKED_CORE_APART
#include "../../core/windows/core.cpp"
#endif

#ifndef CUDNN_CHECKED_REPAIRS_ALONE
#include "../../prove/windows/end.cpp"
#include "../../prove/windows/mapped_name.cpp"
#include "../../spawn/supervised.cpp"
#include "../../spawn/windows/ended_child.cpp"
#include "../../spawn/windows/process_start.cpp"
#include "../../spawn/windows/spawn.cpp"
#include "../../spawn/windows/supervised.cpp"

#include "platform.cpp"
#endif

#ifndef CUDNN_CHECKED_JUDGE_ALONE
#include "../../bundle/windows/files.cpp"
#include "../../repair/windows/library_image.cpp"
#include "../../repair/windows/place.cpp"
#include "../../repair/windows/wheel_layout.cpp"
#endif

#include "../program.cpp"
