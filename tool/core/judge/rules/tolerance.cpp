// SPDX-License-Identifier: BSD-3-Clause
#include "tolerance.h"

#include "coverage.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

double convolution_tolerance(const convolution& c) {
  constexpr double unit_fp32 = 1.0 / 16777216;  // 2^-24
  constexpr double unit_10_bits = 1.0 / 2048;   // 2^-11: fp16 and TF32
  const double sum = (c.products + 1) * unit_fp32;
  const bool half = c.type == element::fp16;
  const bool transformed = c.math == convolution_math::winograd ||
                           c.math == convolution_math::winograd_tf32 ||
                           c.math == convolution_math::fft;
  const bool reduced = c.math == convolution_math::reduced_precision;
  if (transformed || reduced) {
    const bool in_10_bits = half || reduced || c.math == convolution_math::winograd_tf32;
    return 64 * sum + (in_10_bits ? 32 * unit_10_bits : 0);
  }
  double first_order = sum;
  if (half) first_order += unit_10_bits;
  // A tensor core takes fp32 inputs as TF32.
  if (!half && (c.math == convolution_math::tf32 || c.math == convolution_math::tensor_core))
    first_order += 2 * unit_10_bits;
  return 4 * first_order;
}

bool has_right_numbers(const convolution& c) {
  return c.ran && c.unwritten == 0 && c.element_error <= convolution_tolerance(c);
}

static bool is_measured(const observation& observed, int device) {
  bool ran = false;
  for (const convolution& c : observed.convolutions) {
    if (c.device != device) continue;
    if (!has_right_numbers(c)) return false;
    ran = true;
  }
  return ran;
}

void judge_convolutions(const observation& observed, judgement& result) {
  for (const convolution& c : observed.convolutions) {
    result.convolutions.push_back({convolution_tolerance(c), has_right_numbers(c)});
  }
  for (const convolution& c : observed.kernel.runs) {
    kernel_verdict judged;
    judged.tolerance = convolution_tolerance(c);
    judged.right = has_right_numbers(c);
    for (const gpu& device : observed.devices.gpus) {
      if (device.index != c.device) continue;
      judged.code = code_for(observed.code.containers, device.capability);
    }
    result.kernel.push_back(judged);
  }
  for (const gpu& device : observed.devices.gpus) {
    bool known = false;
    for (const architecture& a : result.measured) known = known || a == device.capability;
    if (!known && is_measured(observed, device.index)) {
      result.measured.push_back(device.capability);
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
