// SPDX-License-Identifier: BSD-3-Clause
//
// Every file of core puts its names into `namespace cudnn_checked { inline namespace
// CUDNN_CHECKED_CORE {`.  That is a named namespace, so that files are compiled one by one, and in
// the programs of configure time apart from what those add (core.cpp).  A guard is part of other
// people's programs and one translation unit, where the namespace is unnamed: no symbol leaves it,
// two releases can live in one program, and what is not used is dropped.
#pragma once

#ifdef CUDNN_CHECKED_ONE_UNIT
#define CUDNN_CHECKED_CORE
#else
#define CUDNN_CHECKED_CORE core
#endif
