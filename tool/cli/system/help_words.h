// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace cudnn_checked::cli {

/// A text of the command table, which is written for Linux, in the words of this platform: paths,
/// names of libraries, variables and commands of its examples.
std::string in_words_of_platform(std::string text);

}  // namespace cudnn_checked::cli
