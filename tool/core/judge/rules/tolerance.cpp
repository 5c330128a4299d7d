// SPDX-License-Identifier: BSD-3-Clause
#include "tolerance.h"

#include "coverage.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string code_for(const arena_vector<code_container>& containers, const architecture& device) {
  device_code best;
  best.form = device_code::kind::ptx;
  for (const code_container& container : containers) {
    for (const device_code& code : container.codes) {
      const bool cubin = code.form == device_code::kind::cubin;
      if (!(cubin ? cubin_runs_on : ptx_runs_on)(code.target, device)) continue;
      const bool newer =
          code.target.major * 10 + code.target.minor > best.target.major * 10 + best.target.minor;
      const bool same_form = code.form == best.form;
      if (same_form ? newer : cubin) best = code;
    }
  }
  return best.target.known() ? to_string(best) : arena_string();
}

double convolution_tolerance(element type, convolution_math math, double products) {
  constexpr double unit_fp32 = 1.0 / 16777216;  // 2^-24
  constexpr double unit_10_bits = 1.0 / 2048;   // 2^-11: fp16 and TF32
  constexpr double unit_7_bits = 1.0 / 256;     // 2^-8: bf16
  const double length = products < 7 ? 8 : products + 1;
  const double root = square_root(length);
  const bool half = type != element::fp32;
  const double stored = type == element::bf16 ? unit_7_bits : unit_10_bits;
  const bool transformed = math == convolution_math::winograd ||
                           math == convolution_math::winograd_tf32 || math == convolution_math::fft;
  const bool reduced = math == convolution_math::reduced_precision;
  if (transformed || reduced) {
    const bool in_few_bits = half || reduced || math == convolution_math::winograd_tf32;
    return 64 * unit_fp32 * (root < 17 ? length : 17 * root) + (in_few_bits ? 32 * stored : 0);
  }
  double first_order = fp32_accumulation(products);
  if (half) first_order += stored;
  // A tensor core takes fp32 inputs as TF32.
  if (!half && (math == convolution_math::tf32 || math == convolution_math::tensor_core))
    first_order += 2 * unit_10_bits;
  return 4 * first_order;
}

double coarsest_tolerance(element type, double products) {
  return convolution_tolerance(type, convolution_math::winograd_tf32, products);
}

double convolution_tolerance(const convolution& c) {
  if (is_fused(c)) return fused_tolerance;
  return convolution_tolerance(c.type, c.math, c.products);
}

bool has_right_numbers(const convolution& c) {
  return c.ran && c.unwritten == 0 && c.not_finite == 0 &&
         c.element_error <= convolution_tolerance(c);
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
