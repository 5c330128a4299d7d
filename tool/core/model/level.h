// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// How far a cuDNN was proved; each level includes the ones before it.
enum class level : unsigned char {
  none,     ///< nothing was proved
  located,  ///< header and libraries of one install were found
  linked,   ///< the probe compiles and links
  loaded,   ///< it starts, and the files and the library's own versions agree
  ran       ///< convolutions ran on a GPU and every number is right
};

/// "located", "linked", "loaded", "ran"; "none" for level::none.
const char* to_string(level l);

/// The inverse of to_string, upper case included.  Returns false where `text` names no level.
bool parse_level(std::string_view text, level& result);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
