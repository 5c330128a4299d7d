// SPDX-License-Identifier: BSD-3-Clause
//
// The configure program for Windows as one translation unit.
#include "../../core/windows/core.cpp"

#ifndef CUDNN_CHECKED_JUDGE_ALONE
#include "../../bundle/windows/files.cpp"
#include "../../repair/windows/library_image.cpp"
#include "../../repair/windows/place.cpp"
#include "../../repair/windows/wheel_layout.cpp"
#endif

#include "platform.cpp"

#include "../program.cpp"
