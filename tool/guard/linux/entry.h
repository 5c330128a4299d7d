// SPDX-License-Identifier: BSD-3-Clause
//
// How the functions that a program calls are defined.  Hidden: no program exports the guard.  Weak:
// it may be linked in more than once.
#pragma once

#define CUDNN_CHECKED_ENTRY extern "C" __attribute__((weak, visibility("hidden")))
