// SPDX-License-Identifier: BSD-3-Clause
#include "graphs.h"

namespace cudnn_checked::compute {

static tensor matrices(std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  const std::int64_t extents[] = {batch, rows, columns};
  return make_tensor(3, extents, tensor_layout::nchw);
}

void add_matrix_product(const matrix_product& what, bool biased, graph_builder& graph) {
  using id = graph_builder::id;
  const cudnnDataType_t type = data_type_of(what.type);
  const tensor result = matrices(what.batch, what.m, what.n);
  const id a = graph.real(matrices(what.batch, what.m, what.k), type);
  const id b = graph.real(matrices(what.batch, what.k, what.n), type);
  const id c = graph.real(result, type);
  const bool activated = what.act != activation::none;
  const auto next = [&](bool last) { return last ? c : graph.between(result, CUDNN_DATA_FLOAT); };
  id made = next(!biased && !activated);
  graph.multiply(a, b, made, {});
  if (biased) {
    const id product = made;
    const id bias = graph.real(matrices(1, 1, what.n), type);
    made = next(!activated);
    graph.pointwise(CUDNN_POINTWISE_ADD, product, bias, made);
  }
  if (!activated) return;
  const bool relu = what.act == activation::relu;
  graph.pointwise(relu ? CUDNN_POINTWISE_RELU_FWD : CUDNN_POINTWISE_GELU_FWD, made,
                  graph_builder::none, c);
}

}  // namespace cudnn_checked::compute
