// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstddef>

#include "../convolution/reference.h"
#include "../core/judge/rules/tolerance.h"
#include "biased_convolution.h"

namespace cudnn_checked::compute {

bounded biased_convolution(const operation& what, const double* x, const double* w,
                           const double* bias) {
  const std::size_t channels = static_cast<std::size_t>(what.y.extent[1]);
  const std::size_t count = what.y.elements();
  const std::size_t image = count / static_cast<std::size_t>(what.y.extent[0]) / channels;
  bounded y(count, 0);
  reference(direction::forward, what.x, what.w, what.y, what.moves, x, w, y.value.data(),
            y.bound.data());
  for (std::size_t i = 0; i < count; ++i) {
    const double added = bias[i / image % channels];
    y.value[i] = y.value[i] + added > 0 ? y.value[i] + added : 0;
    y.bound[i] += std::fabs(added);
  }
  scale_errors(y.bound.data(), count);
  const double products = products_of(direction::forward, what.x, what.w, what.y);
  const double first_order =
      convolution_tolerance(what.type, convolution_math::tensor_core, products + 1) / 4;
  for (double& bound : y.bound) bound *= first_order;
  return y;
}

}  // namespace cudnn_checked::compute
