// SPDX-License-Identifier: BSD-3-Clause
//
// The configure program for Windows as one translation unit.
#include "../../core/windows/core.cpp"

#include "../../bundle/windows/files.cpp"
#include "../../repair/windows/library_image.cpp"
#include "../../repair/windows/place.cpp"
#include "../../repair/windows/wheel_layout.cpp"

#include "platform.cpp"

#include "../program.cpp"
