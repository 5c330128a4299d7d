// SPDX-License-Identifier: BSD-3-Clause
//
// Libraries that may use cuDNN, among many.
#pragma once

#include "../../core/library/library_file.h"

namespace cudnn_checked::cli {

/// Does the file NEED cuDNN, or can it be one that opens cuDNN by name: it NEEDs cuBLAS, or its run
/// path leads to cuDNN's wheel?  CUDA's and cuDNN's own libraries do not count.
bool may_use_cudnn(const arena_string& path, const library_file& contents);

/// Such libraries in the directories and below.  Links to directories are not followed; a look at
/// 100,000 names ends it.
arena_vector<arena_string> cudnn_users_in(const system_interface& os,
                                          const arena_vector<arena_string>& directories);

}  // namespace cudnn_checked::cli
