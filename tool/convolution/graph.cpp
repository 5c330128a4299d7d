// SPDX-License-Identifier: BSD-3-Clause
#include "graph.h"

namespace cudnn_checked::compute {

static constexpr std::int64_t tensor_ids[] = {'x', 'w', 'y'};

static cudnnDataType_t data_type_of(element type) {
  if (type == element::fp32) return CUDNN_DATA_FLOAT;
  return type == element::fp16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
}

static bool make_tensor(descriptor& made, std::int64_t id, const tensor& shape, element number,
                        failure& told) {
  const cudnnDataType_t type = data_type_of(number);
  return made.create(CUDNN_BACKEND_TENSOR_DESCRIPTOR, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_DATA_TYPE), CUDNN_TYPE_DATA_TYPE, 1, &type,
                  told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_DIMENSIONS), CUDNN_TYPE_INT64,
                  shape.dimensions, shape.extent, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_STRIDES), CUDNN_TYPE_INT64,
                  shape.dimensions, shape.stride, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_UNIQUE_ID), id, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT), declared_alignment,
                  told) &&
         made.finalize("CUDNN_BACKEND_TENSOR_DESCRIPTOR", told);
}

static bool make_moves(descriptor& made, const window& moves, failure& told) {
  const cudnnDataType_t compute_type = CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  const std::int64_t count = moves.dimensions;
  return made.create(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_COMP_TYPE), CUDNN_TYPE_DATA_TYPE, 1,
                  &compute_type, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_CONV_MODE),
                  CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS), count, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_DILATIONS), CUDNN_TYPE_INT64, count,
                  moves.dilation, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES), CUDNN_TYPE_INT64,
                  count, moves.stride, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS), CUDNN_TYPE_INT64, count,
                  moves.padding, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS), CUDNN_TYPE_INT64,
                  count, moves.padding, told) &&
         made.finalize("CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR", told);
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
  return make_tensor(x, tensor_ids[0], what.x, what.type, told) &&
         make_tensor(w, tensor_ids[1], what.w, what.type, told) &&
         make_tensor(y, tensor_ids[2], what.y, what.type, told) &&
         make_moves(moves, what.moves, told) &&
         make_step(*this, names_of_steps[static_cast<int>(what.computed)], told) &&
         whole.create(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, told) &&
         whole.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATIONGRAPH_HANDLE), CUDNN_TYPE_HANDLE, 1,
                   &handle, told) &&
         whole.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATIONGRAPH_OPS), step, told) &&
         whole.finalize("CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR", told);
}

bool ask_heuristics(const operation_graph& graph, cudnnBackendHeurMode_t mode,
                    descriptor& heuristics, std::int64_t& count, failure& told) {
  return heuristics.create(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, told) &&
         heuristics.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH), graph.whole,
                        told) &&
         heuristics.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_MODE), CUDNN_TYPE_HEUR_MODE, 1,
                        &mode, told) &&
         heuristics.finalize("CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR", told) &&
         heuristics.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_RESULTS),
                        CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, count, nullptr, told);
}

bool make_room(descriptor& configuration, failure& told) {
  return configuration.create(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, told);
}

bool read_offers(const descriptor& heuristics, cudnnBackendDescriptor_t* configurations,
                 std::int64_t& count, failure& told) {
  return heuristics.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_RESULTS),
                        CUDNN_TYPE_BACKEND_DESCRIPTOR, count, count, configurations, told);
}

bool make_plan(cudnnHandle_t handle, const descriptor& configuration, descriptor& plan,
               failure& told) {
  return plan.create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, told) &&
         plan.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_EXECUTION_PLAN_HANDLE), CUDNN_TYPE_HANDLE, 1,
                  &handle, told) &&
         plan.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG), configuration,
                  told) &&
         plan.finalize("CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR", told);
}

bool read_workspace(const descriptor& plan, std::int64_t& bytes, failure& told) {
  std::int64_t count = 0;
  return plan.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE), CUDNN_TYPE_INT64,
                  1, count, &bytes, told);
}

/// What the tolerance rests on, from what the engine says of itself (cuDNN API reference,
/// cudnnBackendNumericalNote_t).  The coarsest arithmetic decides.
static void read_notes(const cudnnBackendNumericalNote_t* notes, std::int64_t count, element type,
                       engine_facts& facts) {
  bool winograd = false;
  bool fourier = false;
  bool reduced = false;
  bool tensor_core = false;
  for (std::int64_t i = 0; i < count; ++i) {
    switch (notes[i]) {
      case CUDNN_NUMERICAL_NOTE_WINOGRAD:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13:
        winograd = true;
        break;
      case CUDNN_NUMERICAL_NOTE_FFT:
        fourier = true;
        break;
      case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
        reduced = true;
        break;
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
      case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
        tensor_core = true;
        break;
      case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
        facts.deterministic = false;
        break;
      default:
        break;  // nothing that changes how exact the sums are
    }
  }
  const bool from_fp32 = type == element::fp32;
  if (reduced) {
    facts.math = convolution_math::reduced_precision;
  } else if (winograd) {
    facts.math =
        tensor_core && from_fp32 ? convolution_math::winograd_tf32 : convolution_math::winograd;
  } else if (fourier) {
    facts.math = convolution_math::fft;
  } else if (!tensor_core) {
    facts.math = convolution_math::fma;
  } else {
    facts.math = from_fp32 ? convolution_math::tf32 : convolution_math::tensor_core;
  }
}

bool describe_engine(const descriptor& configuration, element type, descriptor& engine,
                     engine_facts& facts, failure& told) {
  std::int64_t count = 0;
  cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT] = {};
  if (!engine.create(CUDNN_BACKEND_ENGINE_DESCRIPTOR, told)) return false;
  cudnnBackendDescriptor_t raw = engine.get();
  if (!configuration.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINECFG_ENGINE),
                         CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, count, &raw, told) ||
      !engine.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINE_GLOBAL_INDEX), CUDNN_TYPE_INT64, 1, count,
                  &facts.index, told) ||
      !engine.get(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE), CUDNN_TYPE_NUMERICAL_NOTE,
                  CUDNN_NUMERICAL_NOTE_TYPE_COUNT, count, notes, told)) {
    return false;
  }
  // A library newer than the header can know more notes than there is room for.
  if (count > CUDNN_NUMERICAL_NOTE_TYPE_COUNT) count = CUDNN_NUMERICAL_NOTE_TYPE_COUNT;
  read_notes(notes, count, type, facts);
  return true;
}

bool make_variant_pack(const places& at, descriptor& pack, failure& told) {
  void* const pointers[] = {at.x, at.w, at.y};
  return pack.create(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, told) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS), CUDNN_TYPE_INT64, 3,
                  tensor_ids, told) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS), CUDNN_TYPE_VOID_PTR,
                  3, pointers, told) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_WORKSPACE), CUDNN_TYPE_VOID_PTR, 1,
                  &at.workspace, told) &&
         pack.finalize("CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR", told);
}

}  // namespace cudnn_checked::compute
