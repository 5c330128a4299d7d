// SPDX-License-Identifier: BSD-3-Clause
//
// Graphs of several operations that are refused, each with the status and the object that says so.
#include "../../../tool/convolution/plan.cpp"
#include "../../../tool/laboratory/fused/graph_builder.cpp"

#include <cstdio>

using namespace cudnn_checked;
using namespace cudnn_checked::compute;

namespace {

constexpr auto none = graph_builder::none;

tensor square() {
  const std::int64_t extents[] = {2, 4, 4};
  return make_tensor(3, extents, tensor_layout::nchw);
}

graph_builder::id real(graph_builder& graph) { return graph.real(square(), CUDNN_DATA_HALF); }

graph_builder::id between(graph_builder& graph) {
  return graph.between(square(), CUDNN_DATA_FLOAT);
}

void no_product(graph_builder& graph) {
  graph.pointwise(CUDNN_POINTWISE_EXP, real(graph), none, real(graph));
}

void three_products(graph_builder& graph) {
  const auto first = between(graph);
  const auto second = between(graph);
  graph.multiply(real(graph), real(graph), first, {});
  graph.multiply(first, real(graph), second, {});
  graph.multiply(second, real(graph), real(graph), {});
}

void unknown_mode(graph_builder& graph) {
  graph.pointwise(static_cast<cudnnPointwiseMode_t>(12), real(graph), none, real(graph));
}

void wrong_order(graph_builder& graph) {
  const auto product = between(graph);
  graph.pointwise(CUDNN_POINTWISE_RELU_FWD, product, none, real(graph));
  graph.multiply(real(graph), real(graph), product, {});
}

void other_extents(graph_builder& graph) {
  const std::int64_t extents[] = {2, 4, 5};
  const auto wide = graph.real(make_tensor(3, extents, tensor_layout::nchw), CUDNN_DATA_HALF);
  graph.multiply(real(graph), real(graph), wide, {});
}

void missing_input(graph_builder& graph) {
  graph.pointwise(CUDNN_POINTWISE_ADD, real(graph), none, real(graph));
}

void show(cudnnHandle_t handle, const char* name, void (*add)(graph_builder&)) {
  graph_builder graph;
  descriptor made;
  failure told;
  add(graph);
  const bool whole = graph.make(handle, made, told);
  std::printf("%s: %d %s\n", name, whole ? 0 : static_cast<int>(told.status), told.subject);
}

}  // namespace

int main() {
  cudnnHandle_t handle = nullptr;
  if (cudnnCreate(&handle) != CUDNN_STATUS_SUCCESS) return 1;
  show(handle, "no product", no_product);
  show(handle, "three products", three_products);
  show(handle, "unknown mode", unknown_mode);
  show(handle, "wrong order", wrong_order);
  show(handle, "other extents", other_extents);
  show(handle, "missing input", missing_input);
  return cudnnDestroy(handle);
}
