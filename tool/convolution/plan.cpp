// SPDX-License-Identifier: BSD-3-Clause
#include "plan.h"

namespace cudnn_checked::compute {

cudnnDataType_t data_type_of(element type) {
  if (type == element::fp32) return CUDNN_DATA_FLOAT;
  // CUDNN_DATA_FP8_E4M3 and _E5M2, which headers before 8.6 lack.
  if (is_fp8(type)) return static_cast<cudnnDataType_t>(type == element::e4m3 ? 12 : 13);
  return type == element::fp16 ? CUDNN_DATA_HALF : CUDNN_DATA_BFLOAT16;
}

bool describe_tensor(descriptor& made, std::int64_t id, const tensor& shape, cudnnDataType_t type,
                     failure& told) {
  return made.create(CUDNN_BACKEND_TENSOR_DESCRIPTOR, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_DATA_TYPE), CUDNN_TYPE_DATA_TYPE, 1, &type,
                  told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_DIMENSIONS), CUDNN_TYPE_INT64,
                  shape.dimensions, shape.extent, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_STRIDES), CUDNN_TYPE_INT64,
                  shape.dimensions, shape.stride, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_UNIQUE_ID), id, told) &&
         made.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT), declared_alignment, told);
}

bool finish_tensor(descriptor& described, failure& told) {
  return described.finalize("CUDNN_BACKEND_TENSOR_DESCRIPTOR", told);
}

bool describe_convolution(descriptor& made, const window& moves, failure& told) {
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

bool make_graph(cudnnHandle_t handle, const cudnnBackendDescriptor_t* steps, std::int64_t count,
                descriptor& graph, failure& told) {
  return graph.create(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, told) &&
         graph.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATIONGRAPH_HANDLE), CUDNN_TYPE_HANDLE, 1,
                   &handle, told) &&
         graph.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_OPERATIONGRAPH_OPS),
                   CUDNN_TYPE_BACKEND_DESCRIPTOR, count, steps, told) &&
         graph.finalize("CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR", told);
}

bool ask_heuristics(const descriptor& graph, cudnnBackendHeurMode_t mode, descriptor& heuristics,
                    std::int64_t& count, failure& told) {
  return heuristics.create(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, told) &&
         heuristics.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH), graph, told) &&
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

bool make_variant_pack(const std::int64_t* ids, void* const* places, std::int64_t count,
                       void* workspace, descriptor& pack, failure& told) {
  return pack.create(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, told) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS), CUDNN_TYPE_INT64, count,
                  ids, told) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS), CUDNN_TYPE_VOID_PTR,
                  count, places, told) &&
         pack.set(CUDNN_CHECKED_NAMED(CUDNN_ATTR_VARIANT_PACK_WORKSPACE), CUDNN_TYPE_VOID_PTR, 1,
                  &workspace, told) &&
         pack.finalize("CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR", told);
}

}  // namespace cudnn_checked::compute
