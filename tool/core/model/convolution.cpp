// SPDX-License-Identifier: BSD-3-Clause
#include "observation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* to_string(convolution_api api) {
  return api == convolution_api::legacy ? "legacy" : "graph";
}

const char* to_string(element type) {
  static constexpr const char* names[] = {"fp32", "fp16", "bf16", "e4m3", "e5m2"};
  return names[static_cast<int>(type)];
}

const char* to_string(tensor_layout layout) {
  return layout == tensor_layout::nchw ? "nchw" : "nhwc";
}

const char* to_string(convolution_math math) {
  switch (math) {
    case convolution_math::unknown:
      return "";
    case convolution_math::fma:
      return "fma";
    case convolution_math::tf32:
      return "tf32";
    case convolution_math::tensor_core:
      return "tensor-core";
    case convolution_math::winograd:
      return "winograd";
    case convolution_math::winograd_tf32:
      return "winograd-tf32";
    case convolution_math::fft:
      return "fft";
    case convolution_math::reduced_precision:
      return "reduced-precision";
  }
  return "";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
