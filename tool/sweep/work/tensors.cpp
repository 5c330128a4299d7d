// SPDX-License-Identifier: BSD-3-Clause
#include "tensors.h"

namespace cudnn_checked::sweep {

static compute::direction direction_of(operation what) {
  if (what == operation::forward) return compute::direction::forward;
  return what == operation::data_gradient ? compute::direction::data_gradient
                                          : compute::direction::filter_gradient;
}

compute::operation operation_of(const problem& p) {
  const shape& of = p.of;
  std::int64_t x[compute::tensor::most_dimensions] = {of.batch, of.channels};
  std::int64_t w[compute::tensor::most_dimensions] = {of.filters, of.channels / of.groups};
  std::int64_t y[compute::tensor::most_dimensions] = {of.batch, of.filters};
  compute::operation made;
  made.computed = direction_of(p.what);
  made.type = p.type;
  made.moves.dimensions = of.dimensions;
  for (int i = 0; i < of.dimensions; ++i) {
    x[i + 2] = of.image[i];
    w[i + 2] = of.kernel[i];
    y[i + 2] = of.output(i);
    made.moves.padding[i] = of.padding[i];
    made.moves.stride[i] = of.stride[i];
    made.moves.dilation[i] = of.dilation[i];
  }
  made.x = compute::make_tensor(of.dimensions + 2, x, p.layout);
  made.w = compute::make_tensor(of.dimensions + 2, w, p.layout);
  made.y = compute::make_tensor(of.dimensions + 2, y, p.layout);
  return made;
}

tensor_roles roles_of(const compute::operation& what) {
  if (what.computed == compute::direction::forward) return {&what.x, &what.w, &what.y};
  if (what.computed == compute::direction::data_gradient) return {&what.y, &what.w, &what.x};
  return {&what.y, &what.x, &what.w};
}

}  // namespace cudnn_checked::sweep
