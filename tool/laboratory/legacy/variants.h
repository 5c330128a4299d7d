// SPDX-License-Identifier: BSD-3-Clause
//
// Calls that compute the same: algorithms and modes of an operation.
#pragma once

#include <string>
#include <vector>

#include "kinds.h"

namespace cudnn_checked::compute {

struct legacy_variant {
  int number = 0;  ///< as variant_name() takes it
  legacy_kind call;
  bool deterministic = false;  ///< cuDNN's documentation says so
};

/// Of the call itself.  Of gradients it is cuDNN's number of the algorithm, of softmax that of the
/// algorithm, of pooling that of the mode; of batch norm that of the mode, plus 3 of the functions
/// that end in Ex; else 0.
int variant_number(fused_operation what, const legacy_kind& call);

/// All that compute what the call computes, itself among them, by their numbers.
std::vector<legacy_variant> variants_of(fused_operation what, const legacy_kind& call);

/// Of an operation that has one.
inline constexpr const char* only_variant = "call";

/// "3", "accurate", "max, deterministic", "spatial, Ex".
inline std::string variant_name(fused_operation what, int number) {
  switch (what) {
    case fused_operation::conv_backward_data:
    case fused_operation::conv_backward_filter:
      return std::to_string(number);
    case fused_operation::softmax_forward:
    case fused_operation::softmax_backward:
      return softmax_algorithm_names[number % 3];
    case fused_operation::pooling_forward:
    case fused_operation::pooling_backward:
      return pooling_mode_names[number % 4];
    case fused_operation::batch_norm_inference:
    case fused_operation::batch_norm_forward:
    case fused_operation::batch_norm_backward:
      return std::string(batch_norm_mode_names[number % 3]) + (number >= 3 ? ", Ex" : "");
    default:
      return only_variant;
  }
}

}  // namespace cudnn_checked::compute
