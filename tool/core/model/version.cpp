// SPDX-License-Identifier: BSD-3-Clause
#include "version.h"

#include "format.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

version decode_cudnn_version(unsigned long long number) {
  const unsigned long long major_unit = number >= 10000 ? 10000 : 1000;
  return {static_cast<int>(number / major_unit), static_cast<int>(number % major_unit / 100),
          static_cast<int>(number % 100)};
}

version decode_cuda_version(unsigned long long number) {
  return {static_cast<int>(number / 1000), static_cast<int>(number % 1000 / 10), 0};
}

version parse_version(std::string_view text) {
  int parts[3] = {0, 0, 0};
  std::size_t at = 0;
  for (std::size_t part = 0;; ++part) {
    int value = 0;
    std::size_t digits = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
      if (++digits > 8) return {};
      value = value * 10 + (text[at++] - '0');
    }
    if (digits == 0) return {};
    if (part < 3) parts[part] = value;
    if (at == text.size()) return {parts[0], parts[1], parts[2]};
    if (text[at++] != '.') return {};
  }
}

string to_string(const version& v) {
  if (!v.known()) return "unknown";
  return format("%d.%d.%d", v.major, v.minor, v.patch);
}

string to_driver_string(const version& v) {
  if (!v.known()) return "unknown";
  return format("%d.%d.%02d", v.major, v.minor, v.patch);
}

string to_cuda_string(const version& v) {
  if (!v.known()) return "unknown";
  return format("%d.%d", v.major, v.minor);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
