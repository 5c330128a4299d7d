// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstddef>
#include <vector>

#include "../../convolution/reference.h"
#include "biased_convolution.h"
#include "rounding.h"

namespace cudnn_checked::compute {

bounded biased_convolution(const operation& what, const double* x, const double* w,
                           const double* bias) {
  const std::size_t channels = static_cast<std::size_t>(what.y.extent[1]);
  const std::size_t count = what.y.elements();
  const std::size_t image = count / static_cast<std::size_t>(what.y.extent[0]) / channels;
  const double rounding = what.type == element::fp32 ? tf32_roundoff : 0;
  std::vector<double> rounded(count);
  bounded y(count, 0);
  reference(direction::forward, what.x, what.w, what.y, what.moves, x, w, y.value.data(),
            y.bound.data());
  for (std::size_t i = 0; i < count; ++i) {
    const double added = bias[i / image % channels];
    rounded[i] = rounding * (std::fabs(y.value[i]) + std::fabs(added));
    y.value[i] = y.value[i] + added > 0 ? y.value[i] + added : 0;
    y.bound[i] += std::fabs(added);
  }
  scale_errors(y.bound.data(), count);
  const double products = products_of(direction::forward, what.x, what.w, what.y);
  const double lost = accumulation(products + 1) + 2 * input_rounding(what.type);
  for (std::size_t i = 0; i < count; ++i) {
    y.bound[i] = lost * y.bound[i] + rounded[i] + roundoff(what.type) * y.value[i] +
                 smallest_step(what.type);
  }
  return y;
}

}  // namespace cudnn_checked::compute
