// SPDX-License-Identifier: BSD-3-Clause
//
// Every file of core puts its names into `namespace cudnn_checked { inline namespace
// CUDNN_CHECKED_CORE {`.  In this project's own build that is a named namespace, so that files are
// compiled and tested one by one.  In other people's programs core is one translation unit
// (for_programs.cpp in a guard, else core.cpp) and the namespace is unnamed: no symbol leaves it,
// two releases can live in one program, and what is not used is dropped.
#pragma once

#ifdef CUDNN_CHECKED_ONE_UNIT
#define CUDNN_CHECKED_CORE
#else
#define CUDNN_CHECKED_CORE core
#endif
