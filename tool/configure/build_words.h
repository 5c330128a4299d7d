// SPDX-License-Identifier: BSD-3-Clause
//
// What compilers, linkers and nvcc say in the log of a build that failed, with LC_ALL=C.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../core/namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

struct build_words {
  /// The lines that say what is wrong, in their order, each once, at most twelve.  In front of the
  /// first are up to three lines that say how its file came to be included.  Where no line says
  /// what is wrong: the last twelve that the build tool did not write.
  std::vector<std::string> lines;
  bool linked = false;  ///< one of them is a linker's
};

/// Known are the words of g++, clang, GNU as, ld.bfd, gold, lld, mold and nvcc.  A line that calls
/// one of the `compilers` is a command that the build tool repeats.
build_words words_of_build(std::string_view log, const std::vector<std::string>& compilers);

/// What stopped a build that was not its own fault: a limit, no memory, a signal.
struct build_stop {
  std::string what;  ///< a sentence; empty where the log says nothing of that kind
  std::string by;    ///< the words that say so
  std::string fix;
};

build_stop stop_of_build(std::string_view log);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
