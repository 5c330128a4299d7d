// SPDX-License-Identifier: BSD-3-Clause
//
// The configure program for Linux as one translation unit.
#include "../../core/linux/core.cpp"

#ifndef CUDNN_CHECKED_JUDGE_ALONE
#include "../../bundle/linux/files.cpp"
#include "../../repair/linux/library_image.cpp"
#include "../../repair/linux/place.cpp"
#include "../../repair/linux/wheel_layout.cpp"
#endif

#include "platform.cpp"

#include "../program.cpp"
