// SPDX-License-Identifier: BSD-3-Clause
//
// What the configure program needs of a platform: linux/platform.cpp, windows/platform.cpp.
#pragma once

#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"
#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// A line of standard output ends with a line feed alone, as in a hash of the lines: on Windows the
/// C runtime would write two bytes.
void keep_line_feeds();

/// What a shell needs in front of the name of a program in the working directory: "./".
const char* start_of_path_here();

/// The platforms of wheels for the `machine` of the request (packaging.python.org, "Platform
/// compatibility tags"): "manylinux_2_27_x86_64", "win_amd64".  None where the command that
/// installs in a folder names it (other_platform_for_pip).
arena_vector<arena_string> wheel_platforms(const request& asked);

/// The system on which the files of this build are looked at.  Of DLLs the `search` of the request
/// are the directories, and the `program` is what loads them.
const system_interface& system_of_files(const request& asked);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
