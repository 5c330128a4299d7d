// SPDX-License-Identifier: BSD-3-Clause
//
// The configure program for Linux as one translation unit.  With CUDNN_CHECKED_CORE_APART it is
// without core, which is compiled beside it; ../program.cpp has its other parts.
#ifndef CUDNN_CHECKED_CORE_APART
#include "../../core/linux/core.cpp"
#endif

#ifndef CUDNN_CHECKED_REPAIRS_ALONE
// What `import-library` reads; where this machine builds for Windows another program is asked
// (windows_from_linux).
#include "../../core/pe/pe_image.cpp"
#include "../../core/pe/pe_symbols.cpp"
#include "../../core/pe/pe_tables.cpp"

#include "../../prove/linux/end.cpp"
#include "../../prove/linux/mapped_name.cpp"
#include "../../spawn/linux/spawn.cpp"
#include "../../spawn/linux/supervised.cpp"
#include "../../spawn/supervised.cpp"

#include "platform.cpp"
#endif

#ifndef CUDNN_CHECKED_JUDGE_ALONE
#include "../../bundle/linux/files.cpp"
#include "../../repair/linux/library_image.cpp"
#include "../../repair/linux/place.cpp"
#include "../../repair/linux/wheel_layout.cpp"
#endif

#include "../program.cpp"
