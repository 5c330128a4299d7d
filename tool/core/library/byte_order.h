// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers of files, which are little-endian on every machine that CUDA knows.
#pragma once

#include <cstdint>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

inline std::uint16_t little_endian_16(const unsigned char* bytes) {
  return static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
}

inline std::uint32_t little_endian_32(const unsigned char* bytes) {
  return static_cast<std::uint32_t>(little_endian_16(bytes)) |
         static_cast<std::uint32_t>(little_endian_16(bytes + 2)) << 16;
}

inline std::uint64_t little_endian_64(const unsigned char* bytes) {
  return static_cast<std::uint64_t>(little_endian_32(bytes)) |
         static_cast<std::uint64_t>(little_endian_32(bytes + 4)) << 32;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
