// SPDX-License-Identifier: BSD-3-Clause
#include "graphs.h"

namespace cudnn_checked::compute {

namespace {
using id = graph_builder::id;
}  // namespace

void add_biased_convolution(const operation& what, graph_builder& graph) {
  const cudnnDataType_t type = data_type_of(what.type);
  const std::int64_t channels[] = {1, what.y.extent[1], 1, 1};
  const id x = graph.real(what.x, type);
  const id w = graph.real(what.w, type);
  const id bias = graph.real(make_tensor(4, channels, tensor_layout::nhwc), type);
  const id y = graph.real(what.y, type);
  const id product = graph.between(what.y, CUDNN_DATA_FLOAT);
  const id sum = graph.between(what.y, CUDNN_DATA_FLOAT);
  graph.convolve(x, w, product, what.moves.padding[0]);
  graph.pointwise(CUDNN_POINTWISE_ADD, product, bias, sum);
  graph.pointwise(CUDNN_POINTWISE_RELU_FWD, sum, graph_builder::none, y);
}

}  // namespace cudnn_checked::compute
