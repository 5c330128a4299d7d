// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A compute capability, with the suffix of an architecture-specific ('a') or family-specific ('f')
/// target.  All zero means that it is not known.
struct architecture {
  int major = 0;
  int minor = 0;
  char suffix = '\0';

  bool known() const { return major != 0; }
  friend bool operator==(const architecture& a, const architecture& b) {
    return a.major == b.major && a.minor == b.minor && a.suffix == b.suffix;
  }
};

/// What a program carries for one architecture: machine code (a cubin) or PTX.
struct device_code {
  enum class kind : unsigned char { cubin, ptx };
  kind form = kind::cubin;
  architecture target;
};

/// Reads "75", "90a", "sm_90", "compute_75", "7.5" and "120f".  Anything else is unknown.
architecture parse_architecture(std::string_view text);

/// "75", "90a"; "unknown" where it is not known.
arena_string to_string(const architecture& a);

/// "sm_75", "sm_90a".
arena_string to_sm_string(const architecture& a);

/// Reads the items of CMake's CUDA_ARCHITECTURES ("75", "75-real", "90a-virtual").  An item without
/// a suffix stands for both forms (CMake, prop_tgt/CUDA_ARCHITECTURES).  Items that name no
/// architecture ("native", "all", "OFF") give nothing.
arena_vector<device_code> parse_cuda_architectures(const arena_vector<arena_string>& items);

/// The same the other way round: "75-real", "90-virtual", and "86" where both forms are there.
arena_vector<arena_string> to_cuda_architectures(const arena_vector<device_code>& codes);

/// "sm_75" for a cubin, "compute_75 (PTX)" for PTX.
arena_string to_string(const device_code& code);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
