// SPDX-License-Identifier: BSD-3-Clause
#include "graph.h"

namespace cudnn_checked::compute {

static constexpr std::int64_t tensor_ids[] = {'x', 'w', 'y'};

static bool make_tensor(descriptor& made, std::int64_t id, const tensor& shape, element type,
                        failure& told) {
  return describe_tensor(made, id, shape, data_type_of(type), told) && finish_tensor(made, told);
}

/// The names that the same five parts of an operation have in one direction.
struct step_names {
  struct attribute {
    cudnnBackendAttributeName_t number;
    const char* name;
  };

  cudnnBackendDescriptorType_t type;
  const char* type_name;
  attribute x;
  attribute w;
  attribute y;
  attribute moves;
  attribute alpha;
  attribute beta;
};

// In the order of `direction`.
static constexpr step_names names_of_steps[] = {
    {CUDNN_CHECKED_NAMED(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR),
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA)}},
    {CUDNN_CHECKED_NAMED(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR),
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA)}},
    {CUDNN_CHECKED_NAMED(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR),
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA)},
     {CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA)}},
};

static bool make_step(operation_graph& g, const step_names& names, failure& told) {
  const float one = 1;
  const float zero = 0;  // cuDNN does not read the output then, so that the poison must be gone
  descriptor& step = g.step;
  return step.create(names.type, told) && step.set(names.x.number, names.x.name, g.x, told) &&
         step.set(names.w.number, names.w.name, g.w, told) &&
         step.set(names.y.number, names.y.name, g.y, told) &&
         step.set(names.moves.number, names.moves.name, g.moves, told) &&
         step.set(names.alpha.number, names.alpha.name, CUDNN_TYPE_FLOAT, 1, &one, told) &&
         step.set(names.beta.number, names.beta.name, CUDNN_TYPE_FLOAT, 1, &zero, told) &&
         step.finalize(names.type_name, told);
}

bool operation_graph::make(cudnnHandle_t handle, const operation& what, failure& told) {
  if (!make_tensor(x, tensor_ids[0], what.x, what.type, told) ||
      !make_tensor(w, tensor_ids[1], what.w, what.type, told) ||
      !make_tensor(y, tensor_ids[2], what.y, what.type, told) ||
      !describe_convolution(moves, what.moves, told) ||
      !make_step(*this, names_of_steps[static_cast<int>(what.computed)], told)) {
    return false;
  }
  const cudnnBackendDescriptor_t steps[] = {step.get()};
  return make_graph(handle, steps, 1, whole, told);
}

bool make_variant_pack(const places& at, descriptor& pack, failure& told) {
  void* const pointers[] = {at.x, at.w, at.y};
  return make_variant_pack(tensor_ids, pointers, 3, at.workspace, pack, told);
}

}  // namespace cudnn_checked::compute
