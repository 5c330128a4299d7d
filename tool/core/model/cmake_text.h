// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../namespace.h"
#include "arena_string.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The text as it was: what no element of a list of CMake can have stands as a control character in
/// an argument (cmake/CuDNNChecked/say/message.cmake, _cudnn_checked_add_words).
inline arena_string as_before_cmake(std::string_view text) {
  string_builder whole;
  for (const char one : text) {
    constexpr char hidden[] = {'\\', '[', ']', ';'};
    whole += one >= 2 && one <= 5 ? hidden[one - 2] : one;
  }
  return whole.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
