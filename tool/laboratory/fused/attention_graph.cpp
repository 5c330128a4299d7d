// SPDX-License-Identifier: BSD-3-Clause
#include "graphs.h"

#include <limits>

namespace cudnn_checked::compute {

namespace {

using id = graph_builder::id;
constexpr id none = graph_builder::none;

tensor packed(std::int64_t batch, std::int64_t heads, std::int64_t rows, std::int64_t columns) {
  const std::int64_t extents[] = {batch, heads, rows, columns};
  return make_tensor(4, extents, tensor_layout::nchw);
}

/// The shape of the same memory with the last two axes exchanged.
tensor transposed(tensor of) {
  const std::int64_t extent = of.extent[2];
  const std::int64_t stride = of.stride[2];
  of.extent[2] = of.extent[3];
  of.stride[2] = of.stride[3];
  of.extent[3] = extent;
  of.stride[3] = stride;
  return of;
}

/// The shapes of the tensors of an attention, and the operations that forward and backward share.
class attention_graph {
 public:
  attention_graph(const attention& what, graph_builder& graph)
      : what_(what),
        graph_(graph),
        type_(data_type_of(what.type)),
        gradient_type_(data_type_of(what.gradient_type())),
        queries_(packed(what.batch, what.query_heads, what.queries, what.size)),
        keys_(packed(what.batch, what.key_heads, what.keys, what.size)),
        values_(packed(what.batch, what.key_heads, what.keys, what.value_size)),
        outputs_(packed(what.batch, what.query_heads, what.queries, what.value_size)),
        scores_(packed(what.batch, what.query_heads, what.queries, what.keys)),
        rows_(packed(what.batch, what.query_heads, what.queries, 1)) {}

  void add_forward();
  void add_gradients();
  void add_scaled_gradients();

 private:
  id real(const tensor& shape) { return graph_.real(shape, type_); }
  id real_gradient(const tensor& shape) { return graph_.real(shape, gradient_type_); }
  id real_number() { return graph_.real(packed(1, 1, 1, 1), CUDNN_DATA_FLOAT); }
  id between(const tensor& shape) { return graph_.between(shape, CUDNN_DATA_FLOAT); }
  id apply(cudnnPointwiseMode_t mode, id x, id b, const tensor& shape) {
    const id y = between(shape);
    graph_.pointwise(mode, x, b, y);
    return y;
  }
  id compare(cudnnPointwiseMode_t mode, id x, id b) {
    const id y = graph_.between(scores_, CUDNN_DATA_BOOLEAN);
    graph_.pointwise(mode, x, b, y, CUDNN_DATA_BOOLEAN);
    return y;
  }
  id index(id scores, std::int64_t axis, cudnnDataType_t computed) {
    const id y = graph_.between(scores_, CUDNN_DATA_INT32);
    graph_.index(scores, axis, y, computed);
    return y;
  }
  id keep_where(id scores, id kept) {
    const id y = between(scores_);
    graph_.pointwise(CUDNN_POINTWISE_BINARY_SELECT, scores,
                     graph_.number(-std::numeric_limits<float>::infinity()), y, CUDNN_DATA_FLOAT,
                     kept);
    return y;
  }

  void add_scaling();
  void add_lengths();
  id scaled_scores(id q, id k);
  id mask_padding(id scores);
  id mask_diagonal(id scores);
  void add_output(id powers, id sum, id v, id o);
  struct gradient_tensors {
    id q, k, v, o, d_o, stats, d_q, d_k, d_v;
  };
  gradient_tensors real_tensors();
  void add_heads_gradient(id weights, id rows, const tensor& shape, id result);
  id transpose_for_product(id scores, cudnnDataType_t type);
  id rows_of(id keys);

  /// A product in FP8 and its result, with the tensors that cudnn-frontend's matmul_fp8 has.
  struct scaled_product {
    graph_builder::lengths counted;
    tensor shape;
    id scale_a;
    id scale_b;
    id scale;
    id result;
    id largest;
  };
  void multiply_scaled(id a, id b, const scaled_product& of);

  const attention& what_;
  graph_builder& graph_;
  cudnnDataType_t type_;
  cudnnDataType_t gradient_type_;
  tensor queries_;
  tensor keys_;
  tensor values_;
  tensor outputs_;
  tensor scores_;
  tensor rows_;
  /// The tensors of one number each that an attention in E4M3 reads and writes.
  struct {
    id q = none;
    id k = none;
    id v = none;
    id p = none;
    id inverse_p = none;
    id o = none;
    id largest_p = none;
    id largest_o = none;
  } scaling_;
  id query_lengths_ = none;
  id key_lengths_ = none;
  id scale_ = none;
};

void attention_graph::add_scaling() {
  if (what_.type != element::e4m3) return;
  for (id* const one : {&scaling_.q, &scaling_.k, &scaling_.v, &scaling_.p, &scaling_.inverse_p,
                        &scaling_.o, &scaling_.largest_p, &scaling_.largest_o}) {
    *one = real_number();
  }
}

void attention_graph::add_lengths() {
  if (!what_.padded) return;
  query_lengths_ = graph_.real(packed(what_.batch, 1, 1, 1), CUDNN_DATA_INT32);
  key_lengths_ = graph_.real(packed(what_.batch, 1, 1, 1), CUDNN_DATA_INT32);
}

id attention_graph::scaled_scores(id q, id k) {
  const id scores = between(scores_);
  scale_ = graph_.number(static_cast<float>(what_.scale));
  graph_.multiply(q, k, scores, {query_lengths_, key_lengths_, none});
  const id scaled = apply(CUDNN_POINTWISE_MUL, scores, scale_, scores_);
  if (scaling_.q == none) return scaled;
  const id without_q = apply(CUDNN_POINTWISE_MUL, scaled, scaling_.q, scores_);
  return apply(CUDNN_POINTWISE_MUL, without_q, scaling_.k, scores_);
}

id attention_graph::mask_padding(id scores) {
  if (!what_.padded) return scores;
  const id row = index(scores, 2, CUDNN_DATA_INT32);
  const id column = index(scores, 3, CUDNN_DATA_INT32);
  const id in_row = compare(CUDNN_POINTWISE_CMP_LT, row, query_lengths_);
  const id in_column = compare(CUDNN_POINTWISE_CMP_LT, column, key_lengths_);
  return keep_where(scores, compare(CUDNN_POINTWISE_LOGICAL_AND, in_row, in_column));
}

id attention_graph::mask_diagonal(id scores) {
  if (!what_.causal) return scores;
  const id row = index(scores, 2, CUDNN_DATA_FLOAT);
  const id column = index(scores, 3, CUDNN_DATA_FLOAT);
  const id causal = keep_where(scores, compare(CUDNN_POINTWISE_CMP_GE, row, column));
  if (what_.window == 0) return causal;
  const id row_again = index(causal, 2, CUDNN_DATA_FLOAT);
  const id column_again = index(causal, 3, CUDNN_DATA_FLOAT);
  const id end = apply(CUDNN_POINTWISE_ADD, column_again,
                       graph_.number(static_cast<float>(what_.window)), scores_);
  return keep_where(causal, compare(CUDNN_POINTWISE_CMP_GT, end, row_again));
}

void attention_graph::add_forward() {
  const id q = real(queries_);
  const id k = real(transposed(keys_));
  const id v = real(values_);
  const id o = real(outputs_);
  const id stats = graph_.real(rows_, CUDNN_DATA_FLOAT);
  add_scaling();
  add_lengths();
  const id scores = mask_diagonal(mask_padding(scaled_scores(q, k)));
  const id largest = between(rows_);
  graph_.reduce(CUDNN_REDUCE_TENSOR_MAX, scores, largest);
  const id lowered = apply(CUDNN_POINTWISE_SUB, scores, largest, scores_);
  const id powers = apply(CUDNN_POINTWISE_EXP, lowered, none, scores_);
  const id sum = between(rows_);
  graph_.reduce(CUDNN_REDUCE_TENSOR_ADD, powers, sum);
  const id logarithm = apply(CUDNN_POINTWISE_LOG, sum, none, rows_);
  graph_.pointwise(CUDNN_POINTWISE_ADD, largest, logarithm, stats);
  add_output(powers, sum, v, o);
}

void attention_graph::add_output(id powers, id sum, id v, id o) {
  const graph_builder::lengths counted = {query_lengths_, none, key_lengths_};
  const id as_operand = graph_.between(scores_, type_);
  if (scaling_.p == none) {
    graph_.pointwise(CUDNN_POINTWISE_DIV, powers, sum, as_operand);
    graph_.multiply(as_operand, v, o, counted);
    return;
  }
  const id weights = apply(CUDNN_POINTWISE_DIV, powers, sum, scores_);
  graph_.reduce(CUDNN_REDUCE_TENSOR_AMAX, weights, scaling_.largest_p);
  graph_.pointwise(CUDNN_POINTWISE_MUL, weights, scaling_.p, as_operand);
  multiply_scaled(
      as_operand, v,
      {counted, outputs_, scaling_.inverse_p, scaling_.v, scaling_.o, o, scaling_.largest_o});
}

id attention_graph::transpose_for_product(id scores, cudnnDataType_t type) {
  const id turned = graph_.between(transposed(scores_), type);
  graph_.reshape(scores, turned);
  return turned;
}

/// Makes K from the tensor of K that has the last two axes exchanged.
id attention_graph::rows_of(id keys) {
  const id rows = graph_.between(keys_, type_);
  graph_.reshape(keys, rows);
  return rows;
}

/// Computes `result` = `weights` * `rows`, added up over the heads of Q that share a head of K.
void attention_graph::add_heads_gradient(id weights, id rows, const tensor& shape, id result) {
  const graph_builder::lengths counted = {key_lengths_, none, query_lengths_};
  if (what_.query_heads == what_.key_heads) {
    graph_.multiply(weights, rows, result, counted);
    return;
  }
  const id of_each_head =
      graph_.between(packed(what_.batch, what_.query_heads, what_.keys, shape.extent[3]), type_);
  graph_.multiply(weights, rows, of_each_head, counted);
  graph_.reduce(CUDNN_REDUCE_TENSOR_ADD, of_each_head, result);
}

attention_graph::gradient_tensors attention_graph::real_tensors() {
  const id q = real(queries_);
  const id k = real(transposed(keys_));
  const id v = real(transposed(values_));
  const id o = real(outputs_);
  const id d_o = real_gradient(outputs_);
  const id stats = graph_.real(rows_, CUDNN_DATA_FLOAT);
  return {q,
          k,
          v,
          o,
          d_o,
          stats,
          real_gradient(queries_),
          real_gradient(keys_),
          real_gradient(values_)};
}

void attention_graph::add_gradients() {
  const auto [q, k, v, o, d_o, stats, d_q, d_k, d_v] = real_tensors();
  const id weighted = graph_.real(rows_, CUDNN_DATA_FLOAT);
  const id d_q_sums = graph_.real(queries_, CUDNN_DATA_FLOAT);
  add_lengths();

  tensor interleaved = outputs_;
  interleaved.stride[2] = outputs_.stride[2] * what_.query_heads;
  const id products = apply(CUDNN_POINTWISE_MUL, d_o, o, interleaved);
  const id dots = between(rows_);
  graph_.reduce(CUDNN_REDUCE_TENSOR_ADD, products, dots);
  graph_.pointwise(CUDNN_POINTWISE_MUL, dots, graph_.number(1.0f), weighted);

  const id scores = scaled_scores(q, k);
  const id lowered = apply(CUDNN_POINTWISE_SUB, scores, stats, scores_);
  const id masked = mask_diagonal(mask_padding(lowered));
  const id weights = apply(CUDNN_POINTWISE_EXP, masked, none, scores_);
  add_heads_gradient(transpose_for_product(weights, type_), d_o, values_, d_v);

  const id d_weights = between(scores_);
  graph_.multiply(d_o, v, d_weights, {query_lengths_, key_lengths_, none});
  const id centred = apply(CUDNN_POINTWISE_SUB, d_weights, weighted, scores_);
  const id d_scores = apply(CUDNN_POINTWISE_MUL, centred, weights, scores_);
  const id d_scaled = apply(CUDNN_POINTWISE_MUL, d_scores, scale_, scores_);
  add_heads_gradient(transpose_for_product(d_scaled, type_), q, keys_, d_k);
  graph_.multiply(d_scaled, rows_of(k), d_q_sums, {query_lengths_, none, key_lengths_});
  graph_.pointwise(CUDNN_POINTWISE_IDENTITY, d_q_sums, none, d_q);
}

void attention_graph::multiply_scaled(id a, id b, const scaled_product& of) {
  const bool is_shared = of.shape.extent[1] != what_.query_heads;
  const id product = between(
      is_shared ? packed(what_.batch, what_.query_heads, of.shape.extent[2], of.shape.extent[3])
                : of.shape);
  graph_.multiply(a, b, product, of.counted);
  id sum = product;
  if (is_shared) {
    sum = between(of.shape);
    graph_.reduce(CUDNN_REDUCE_TENSOR_ADD, product, sum);
  }
  const id without_a = apply(CUDNN_POINTWISE_MUL, sum, of.scale_a, of.shape);
  const id whole = apply(CUDNN_POINTWISE_MUL, without_a, of.scale_b, of.shape);
  graph_.pointwise(CUDNN_POINTWISE_MUL, whole, of.scale, of.result);
  graph_.reduce(CUDNN_REDUCE_TENSOR_AMAX, whole, of.largest);
}

void attention_graph::add_scaled_gradients() {
  const auto [q, k, v, o, d_o, stats, d_q, d_k, d_v] = real_tensors();
  scaling_.q = real_number();
  scaling_.k = real_number();
  const id scale_v = real_number(), inverse_o = real_number(), scale_d_o = real_number();
  const id scale_p = real_number(), inverse_p = real_number();
  const id scale_d_s = real_number(), inverse_d_s = real_number();
  const id scale_d_q = real_number(), scale_d_k = real_number(), scale_d_v = real_number();
  const id largest_d_s = real_number(), largest_d_q = real_number();
  const id largest_d_k = real_number(), largest_d_v = real_number();
  add_lengths();

  const id products = apply(CUDNN_POINTWISE_MUL, d_o, o, outputs_);
  const id dots = between(rows_);
  graph_.reduce(CUDNN_REDUCE_TENSOR_ADD, products, dots);
  const id dots_of_o = apply(CUDNN_POINTWISE_MUL, dots, scale_d_o, rows_);
  const id weighted = apply(CUDNN_POINTWISE_MUL, dots_of_o, inverse_o, rows_);

  const id masked = mask_diagonal(mask_padding(scaled_scores(q, k)));
  const id lowered = apply(CUDNN_POINTWISE_SUB, masked, stats, scores_);
  const id weights = apply(CUDNN_POINTWISE_EXP, lowered, none, scores_);
  const id p = graph_.between(scores_, type_);
  graph_.pointwise(CUDNN_POINTWISE_MUL, weights, scale_p, p);
  const graph_builder::lengths over_rows = {key_lengths_, none, query_lengths_};
  multiply_scaled(transpose_for_product(p, type_), d_o,
                  {over_rows, values_, inverse_p, scale_d_o, scale_d_v, d_v, largest_d_v});

  const id d_p = between(scores_);
  graph_.multiply(d_o, v, d_p, {query_lengths_, key_lengths_, none});
  const id d_p_of_v = apply(CUDNN_POINTWISE_MUL, d_p, scale_d_o, scores_);
  const id d_weights = apply(CUDNN_POINTWISE_MUL, d_p_of_v, scale_v, scores_);
  const id centred = apply(CUDNN_POINTWISE_SUB, d_weights, weighted, scores_);
  const id d_scores = apply(CUDNN_POINTWISE_MUL, centred, weights, scores_);
  const id d_scaled = apply(CUDNN_POINTWISE_MUL, d_scores, scale_, scores_);
  graph_.reduce(CUDNN_REDUCE_TENSOR_AMAX, d_scaled, largest_d_s);
  const id d_s = graph_.between(scores_, gradient_type_);
  graph_.pointwise(CUDNN_POINTWISE_MUL, d_scaled, scale_d_s, d_s);
  multiply_scaled(d_s, rows_of(k),
                  {{query_lengths_, none, key_lengths_},
                   queries_,
                   inverse_d_s,
                   scaling_.k,
                   scale_d_q,
                   d_q,
                   largest_d_q});
  multiply_scaled(transpose_for_product(d_s, gradient_type_), q,
                  {over_rows, keys_, inverse_d_s, scaling_.q, scale_d_k, d_k, largest_d_k});
}

}  // namespace

void add_attention(const attention& what, graph_builder& graph) {
  attention_graph(what, graph).add_forward();
}

void add_attention_gradients(const attention& what, graph_builder& graph) {
  attention_graph made(what, graph);
  if (is_fp8(what.type)) {
    made.add_scaled_gradients();
  } else {
    made.add_gradients();
  }
}

}  // namespace cudnn_checked::compute
