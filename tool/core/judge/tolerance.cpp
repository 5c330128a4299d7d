// SPDX-License-Identifier: BSD-3-Clause
#include "tolerance.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

double convolution_tolerance(const convolution& c) {
  constexpr double two_to_minus_11 = 1.0 / 2048;
  constexpr double two_to_minus_23 = 1.0 / 8388608;
  double bound = (c.products + 2) * two_to_minus_23;
  if (c.type == "fp16") bound += two_to_minus_11;
  // A tensor core takes float32 inputs as TF32.
  if (c.type == "fp32" && (c.math == "tf32" || c.math == "tensor-core")) bound += 4 * two_to_minus_11;
  if (c.math == "winograd") bound *= 32;
  return bound;
}

bool has_right_numbers(const convolution& c) {
  return c.ran && c.unwritten == 0 && c.element_error <= convolution_tolerance(c);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
