// SPDX-License-Identifier: BSD-3-Clause
//
// The one cuDNN that a command opens.
#pragma once

#include <string>

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

struct cudnn_choice {
  arena_string library;               ///< absolute path of libcudnn.so.N; empty: there is none
  arena_string header_path;           ///< its cudnn_version.h; empty where it has none
  arena_vector<arena_string> others;  ///< libraries of the other cuDNNs that were found
  std::string error;                  ///< where there is none: why, without the name of the command
  bool usage = false;                 ///< it is the argument that is wrong
};

/// With a directory the first cuDNN in it (doctor's rules: a directory of libraries, the prefix of
/// an install, a site-packages or a virtual environment).  With an empty text the one that the
/// loader takes for a program without a run path; where there is none, the first of those that
/// doctor lists.
cudnn_choice choose_cudnn(const system_interface& os, const std::string& directory);

/// "DIR has 2 cuDNNs: this is the one of A; name the directory of another: B".  Empty where there
/// was no choice.
std::string note_of_choice(const cudnn_choice& choice);

/// The absolute path without "." and "..", which make a command hard to read.
arena_string absolute_directory(const system_interface& os, const std::string& directory);

}  // namespace cudnn_checked::cli
