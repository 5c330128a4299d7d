// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../convolution/tensor.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

using compute::tensor;

/// The byte that outputs and workspaces are filled with before each execution: a NaN in fp32 and
/// fp16, and not the one that GPUs compute (0x7fffffff, 0x7fff).
constexpr unsigned char poison_byte = 0xff;

/// How far a result is from the reference; every element is looked at.
struct comparison {
  double relative_error = 0;         ///< ||y - r|| / ||r||
  double element_error = 0;          ///< largest |y - r| / sum |x * w|
  unsigned long long unwritten = 0;  ///< elements that still hold the poison
};

/// `result` lies in host memory as `result_layout` says; `reference` and `magnitude` are packed
/// NCHW.  An element that is not finite, or that was never written, makes both errors infinite.
comparison compare(const void* result, element type, const tensor& result_layout,
                   const double* reference, const double* magnitude);

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
