// SPDX-License-Identifier: BSD-3-Clause
//
// The configure program of a build for Windows on Linux, as one translation unit: what reads and
// judges DLLs, and says what to type here.  With CUDNN_CHECKED_CORE_APART it is without core, which
// is compiled beside it; ../program.cpp has its other parts.
#ifndef CUDNN_CHECKED_CORE_APART
#include "../../core/windows_from_linux/core.cpp"
#endif

#ifndef CUDNN_CHECKED_REPAIRS_ALONE
#include "../../prove/linux/end.cpp"
#include "../../prove/windows/mapped_name.cpp"
#include "../../spawn/linux/spawn.cpp"
#include "../../spawn/linux/supervised.cpp"
#include "../../spawn/supervised.cpp"

#include "platform.cpp"
#endif

#ifndef CUDNN_CHECKED_JUDGE_ALONE
#include "../../bundle/linux/files.cpp"
#include "../../repair/linux/place.cpp"
#include "../../repair/windows/library_image.cpp"
#include "../../repair/windows/wheel_layout.cpp"
#endif

#include "../program.cpp"
