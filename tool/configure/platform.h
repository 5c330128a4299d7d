// SPDX-License-Identifier: BSD-3-Clause
//
// What the configure program needs of a platform: linux/platform.cpp, windows/platform.cpp.
#pragma once

#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// A line of standard output ends with a line feed alone, as in a hash of the lines: on Windows the
/// C runtime would write two bytes.
void keep_line_feeds();

/// What a shell needs in front of the name of a program in the working directory: "./".
const char* start_of_path_here();

/// Whether a library of the `system` of the request can be judged here.
bool judges_files_of(const request& asked);

/// The platforms of wheels for the `machine` and the `system` of the request (packaging.python.org,
/// "Platform compatibility tags"): "manylinux_2_27_x86_64", "win_amd64".
arena_vector<arena_string> wheel_platforms(const request& asked);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
