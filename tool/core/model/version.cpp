// SPDX-License-Identifier: BSD-3-Clause
#include "version.h"

#include "format.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

version decode_cuda_version(unsigned long long number) {
  return version::of(static_cast<long long>(number / 1000),
                     static_cast<long long>(number % 1000 / 10), 0);
}

version parse_version(std::string_view text) {
  int parts[3] = {0, 0, 0};
  std::size_t at = 0;
  for (std::size_t part = 0;; ++part) {
    int value = 0;
    std::size_t digits = 0;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
      value = value * 10 + (text[at++] - '0');
      if (++digits > 8) return {};
    }
    if (digits == 0) return {};
    if (part < 3) parts[part] = value;
    if (at == text.size()) return version::of(parts[0], parts[1], parts[2]);
    if (text[at++] != '.') return {};
  }
}

arena_string to_string(version v) { return format("%s", v); }

arena_string to_driver_string(version v) {
  if (!v.known()) return "unknown";
  return format("%d.%d.%s%d", v.major, v.minor, v.patch < 10 ? "0" : "", v.patch);
}

arena_string to_cuda_string(version v) { return format("%s", as_cuda(v)); }

arena_string describe(const arena_vector<release>& releases) {
  arena_string text;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    const release& r = releases[i];
    const bool same_number = i > 0 && releases[i - 1].number == r.number;
    if (i > 0) text += " or ";
    if (!same_number) text += to_string(r.number);
    if (r.cuda_major == 0) continue;
    text += format("%s%d", same_number ? "" : " for CUDA ", r.cuda_major);
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
