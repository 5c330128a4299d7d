// SPDX-License-Identifier: BSD-3-Clause
//
// Words that no program needs at its start: what is judged from outside.
#include "../model/library_spelling.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* other_platform_for_pip() { return ""; }
const char* other_platform_for_uv() { return ""; }

const char* cudnn_name_prefix() { return "libcudnn"; }
const char* folder_of_wheel_libraries() { return "lib"; }

const char* command_that_removes_files() { return "rm"; }
const char* command_that_removes_folders() { return "rm -r"; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
