// SPDX-License-Identifier: BSD-3-Clause
//
// What a person types on Linux for files of Windows.
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* command_that_removes_files() { return "rm"; }
const char* command_that_removes_folders() { return "rm -r"; }

// pip documentation, "pip install": --platform is for wheels alone.  What cuDNN needs besides is
// named by those who ask for it.
const char* other_platform_for_pip() {
  return " --platform win_amd64 --only-binary=:all: --no-deps";
}

// uv documentation, "uv pip install", --python-platform.
const char* other_platform_for_uv() {
  return " --python-platform x86_64-pc-windows-msvc --only-binary=:all: --no-deps";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
