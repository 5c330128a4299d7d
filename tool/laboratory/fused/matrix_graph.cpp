// SPDX-License-Identifier: BSD-3-Clause
#include "graphs.h"

namespace cudnn_checked::compute {

namespace {
using id = graph_builder::id;
}  // namespace

static tensor matrices(std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  const std::int64_t extents[] = {batch, rows, columns};
  return make_tensor(3, extents, tensor_layout::nchw);
}

/// The same shape, with each matrix stored column by column.
static tensor by_columns(std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  tensor made = matrices(batch, rows, columns);
  made.stride[1] = 1;
  made.stride[2] = rows;
  return made;
}

void add_matrix_product(const matrix_product& what, bool biased, graph_builder& graph) {
  struct step {
    cudnnPointwiseMode_t mode;
    id operand;
  };
  const cudnnDataType_t type = data_type_of(what.type);
  const cudnnDataType_t result_type = data_type_of(what.result_type);
  const tensor result = matrices(what.batch, what.m, what.n);
  const bool scaled = what.type == element::e4m3;
  const bool result_scaled = what.result_type == element::e4m3;
  const auto real_number = [&] { return graph.real(matrices(1, 1, 1), CUDNN_DATA_FLOAT); };
  const id a = graph.real(matrices(what.batch, what.m, what.k), type);
  const id b = graph.real((scaled ? by_columns : matrices)(what.batch, what.k, what.n), type);
  const id c = graph.real(result, result_type);
  step steps[5];
  int count = 0;
  const id bias = biased ? graph.real(matrices(1, 1, what.n), result_type) : graph_builder::none;
  for (int i = 0; scaled && i < 2; ++i) steps[count++] = {CUDNN_POINTWISE_MUL, real_number()};
  if (biased) steps[count++] = {CUDNN_POINTWISE_ADD, bias};
  if (what.act == activation::relu) {
    steps[count++] = {CUDNN_POINTWISE_RELU_FWD, graph_builder::none};
  } else if (what.act == activation::gelu) {
    steps[count++] = {CUDNN_POINTWISE_GELU_FWD, graph_builder::none};
  }
  if (result_scaled) steps[count++] = {CUDNN_POINTWISE_MUL, real_number()};
  const auto next = [&](bool last) { return last ? c : graph.between(result, CUDNN_DATA_FLOAT); };
  id made = next(count == 0);
  id before = made;
  graph.multiply(a, b, made, {});
  for (int i = 0; i < count; ++i) {
    before = made;
    made = next(i + 1 == count);
    graph.pointwise(steps[i].mode, before, steps[i].operand, made);
  }
  if (result_scaled) graph.reduce(CUDNN_REDUCE_TENSOR_AMAX, before, real_number());
}

}  // namespace cudnn_checked::compute
