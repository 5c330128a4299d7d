// SPDX-License-Identifier: BSD-3-Clause
#include "graphs.h"

namespace cudnn_checked::compute {

namespace {

using id = graph_builder::id;

/// The shape of [rows][columns] as cuDNN's norms take it: each row is an image of one pixel, and
/// its columns are the channels, which are last in memory.
tensor image(std::int64_t rows, std::int64_t columns) {
  const std::int64_t extents[] = {rows, columns, 1, 1};
  return make_tensor(4, extents, tensor_layout::nhwc);
}

/// Adds x and scale, which are the first tensors of both directions.
graph_builder::norm_tensors first_tensors(const norm& what, graph_builder& graph) {
  graph_builder::norm_tensors of;
  of.mode = what.kind == norm_kind::layer ? CUDNN_LAYER_NORM : CUDNN_RMS_NORM;
  of.x = graph.real(image(what.rows, what.columns), data_type_of(what.type));
  of.scale = graph.real(image(1, what.columns), data_type_of(what.parameter_type));
  return of;
}

}  // namespace

void add_norm(const norm& what, graph_builder& graph) {
  const bool layer = what.kind == norm_kind::layer;
  const cudnnDataType_t type = data_type_of(what.type);
  const cudnnDataType_t parameter_type = data_type_of(what.parameter_type);
  graph_builder::norm_tensors of = first_tensors(what, graph);
  const id bias = layer ? graph.real(image(1, what.columns), parameter_type) : graph_builder::none;
  const id y = graph.real(image(what.rows, what.columns), type);
  if (layer) of.mean = graph.real(image(what.rows, 1), CUDNN_DATA_FLOAT);
  of.inverse_deviation = graph.real(image(what.rows, 1), CUDNN_DATA_FLOAT);
  graph.norm_forward(of, bias, graph.number(static_cast<float>(what.epsilon)), y);
}

void add_norm_gradients(const norm& what, graph_builder& graph) {
  const bool layer = what.kind == norm_kind::layer;
  const cudnnDataType_t type = data_type_of(what.type);
  const cudnnDataType_t parameter_type = data_type_of(what.parameter_type);
  graph_builder::norm_tensors of = first_tensors(what, graph);
  const id dy = graph.real(image(what.rows, what.columns), type);
  if (layer) of.mean = graph.real(image(what.rows, 1), CUDNN_DATA_FLOAT);
  of.inverse_deviation = graph.real(image(what.rows, 1), CUDNN_DATA_FLOAT);
  const id dx = graph.real(image(what.rows, what.columns), type);
  const id dscale = graph.real(image(1, what.columns), parameter_type);
  const id dbias = layer ? graph.real(image(1, what.columns), parameter_type) : graph_builder::none;
  graph.norm_backward(of, dy, dscale, dbias, dx);
}

}  // namespace cudnn_checked::compute
