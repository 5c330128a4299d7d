// SPDX-License-Identifier: BSD-3-Clause
//
// windows.h, without its macros that break names of the standard library.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
