// SPDX-License-Identifier: BSD-3-Clause
#include "problem_graph.h"

namespace cudnn_checked::sweep {

problem_graph::problem_graph(const problem& p, unsigned long long cudnn) : of_(p) {
  if (!is_fused(p.what)) return;
  fused_ = compute::make_fused_problem({fused_of(p.what), p.type, p.fused_shape, p.range}, cudnn);
}

bool problem_graph::make(cudnnHandle_t handle, compute::failure& told) {
  if (!is_fused(of_.what)) return convolution_.make(handle, operation_of(of_), told);
  fused_.add(builder_);
  return builder_.make(handle, graph_, told);
}

const compute::descriptor& problem_graph::whole() const {
  return is_fused(of_.what) ? graph_ : convolution_.whole;
}

problem_numbers problem_graph::numbers(std::uint64_t seed) const {
  if (!is_fused(of_.what)) return make_numbers(of_, seed);
  problem_numbers made;
  made.what = fused_.what;
  made.type = fused_.type;
  for (const compute::fused_array& array : fused_.arrays) made.arrays.push_back(array_of(array));
  return made;
}

/// The three addresses of a convolution, which come in the order of tensor_roles.
static compute::places convolution_places(operation what, void* const* from) {
  if (what == operation::forward) return {from[0], from[1], from[2], nullptr};
  if (what == operation::data_gradient) return {from[2], from[1], from[0], nullptr};
  return {from[1], from[2], from[0], nullptr};
}

bool problem_graph::make_pack(void* const* places, void* workspace, compute::descriptor& pack,
                              compute::failure& told) const {
  if (is_fused(of_.what)) return builder_.make_pack(places, workspace, pack, told);
  compute::places at = convolution_places(of_.what, places);
  at.workspace = workspace;
  return compute::make_variant_pack(at, pack, told);
}

}  // namespace cudnn_checked::sweep
