// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A version of cuDNN, CUDA or the driver; no number is negative, or above 65535.  All zero means
/// that it is not known.  It is passed by value, in a register, and compared as one number: the
/// last member has the highest bits.
struct alignas(std::uint64_t) version {
  std::uint16_t unused = 0;
  std::uint16_t patch = 0;
  std::uint16_t minor = 0;
  std::uint16_t major = 0;

  constexpr version() = default;
  constexpr version(std::uint16_t x, std::uint16_t y, std::uint16_t z = 0)
      : patch(z), minor(y), major(x) {}
  /// Unknown if one of them is no such number.
  static constexpr version of(long long x, long long y, long long z) {
    constexpr long long most = UINT16_MAX;
    if (x < 0 || x > most || y < 0 || y > most || z < 0 || z > most) return {};
    return {static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y),
            static_cast<std::uint16_t>(z)};
  }
  static version from_number(std::uint64_t number) {
    version v;
    std::memcpy(static_cast<void*>(&v), &number, sizeof v);
    return v;
  }

  CUDNN_CHECKED_IN_PLACE std::uint64_t number() const {
    std::uint64_t all = 0;
    std::memcpy(&all, this, sizeof all);
    return all;
  }
  CUDNN_CHECKED_IN_PLACE bool known() const { return number() != 0; }
};
static_assert(sizeof(version) == sizeof(std::uint64_t), "one number");

CUDNN_CHECKED_IN_PLACE bool operator==(version a, version b) { return a.number() == b.number(); }
CUDNN_CHECKED_IN_PLACE bool operator!=(version a, version b) { return a.number() != b.number(); }
CUDNN_CHECKED_IN_PLACE bool operator<(version a, version b) { return a.number() < b.number(); }

/// A release of cuDNN for a CUDA major.
struct release {
  version number;      ///< x.y.z
  int cuda_major = 0;  ///< 0: not known
};

/// The factor of the major release of cuDNN in CUDNN_VERSION (cudnn_majors.def).
constexpr int unit_of_cudnn(int major) {
  int found = 0;
#define CUDNN_MAJOR_ROW(number, unit, role) \
  if (found == 0 || major >= number) found = unit;
#include "cudnn_majors.def"
#undef CUDNN_MAJOR_ROW
  return found;
}

/// Decodes CUDNN_VERSION and cudnnGetVersion().  The ranges of two majors never meet: 8.x ends at
/// 8999 and 9.x begins at 90000.
inline version decode_cudnn_version(unsigned long long number) {
  unsigned long long unit = 0;
#define CUDNN_MAJOR_ROW(major, unit_of_major, role) \
  if (unit == 0 || number >= major * unit_of_major) unit = unit_of_major;
#include "cudnn_majors.def"
#undef CUDNN_MAJOR_ROW
  return version::of(static_cast<long long>(number / unit),
                     static_cast<long long>(number % unit / 100),
                     static_cast<long long>(number % 100));
}

/// Decodes CUDART_VERSION, cudaRuntimeGetVersion(), cudaDriverGetVersion() and
/// cudnnGetCudartVersion(): 1000*major + 10*minor (cuda_runtime_api.h).  The patch stays 0.
version decode_cuda_version(unsigned long long number);

/// Reads "9", "9.14", "9.14.0" or "580.159.04"; further components ("9.14.0.64") are ignored.
/// Anything else gives an unknown version.
version parse_version(std::string_view text);

/// "9.14.0", or "unknown".
arena_string to_string(version v);

/// "580.159.04", or "unknown": the driver's last component has two digits.
arena_string to_driver_string(version v);

/// "13.0", or "unknown": CUDA's releases are named by two components.
arena_string to_cuda_string(version v);

/// "9.14.0 for CUDA 13", "9.14.0 for CUDA 12 or 13", "8.9.6 for CUDA 11 or 8.9.7 for CUDA 12",
/// "unknown".
arena_string describe(const arena_vector<release>& releases);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
