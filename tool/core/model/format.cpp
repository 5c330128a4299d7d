// SPDX-License-Identifier: BSD-3-Clause
#include "format.h"

#include <cstdarg>
#include <cstdio>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

string format(const char* pattern, ...) {
  std::va_list arguments;
  std::va_list again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  const std::size_t count = length > 0 ? static_cast<std::size_t>(length) : 0;
  string text;
  std::vsnprintf(text.extend(count), count + 1, pattern, again);
  va_end(again);
  va_end(arguments);
  return text;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
