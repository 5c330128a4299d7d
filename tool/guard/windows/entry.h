// SPDX-License-Identifier: BSD-3-Clause
//
// How the functions that a program calls are defined.  The guard may be linked in more than once:
// of inline functions the linker keeps one.
#pragma once

#define CUDNN_CHECKED_ENTRY extern "C" inline
