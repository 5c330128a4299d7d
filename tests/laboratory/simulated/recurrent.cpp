// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_adv: descriptors of recurrent networks.
#include <algorithm>

#include "recurrent_call.h"

using namespace simulated;

SIMULATED_EXPORT cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateRNNDescriptor);
  *descriptor = new cudnnRNNStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyRNNDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

static double rounded_to(cudnnDataType_t type, double value) {
  unsigned char bytes[4];
  store(view_of(type), bytes, 0, static_cast<float>(value));
  return static_cast<double>(load(view_of(type), bytes, 0));
}

SIMULATED_EXPORT cudnnStatus_t
cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t d, cudnnRNNAlgo_t algorithm, cudnnRNNMode_t cell_of,
                         cudnnRNNBiasMode_t bias, cudnnDirectionMode_t directions,
                         cudnnRNNInputMode_t input, cudnnDataType_t type, cudnnDataType_t precision,
                         cudnnMathType_t math, int32_t inputs, int32_t hidden, int32_t projection,
                         int32_t layers, cudnnDropoutDescriptor_t dropout, uint32_t flags) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetRNNDescriptor_v8);
  if (d == nullptr || dropout == nullptr || inputs <= 0 || hidden <= 0 || layers <= 0 ||
      projection <= 0 || projection > hidden) {
    return services_of_graph().fail(2000, "a descriptor is null, or a size out of range");
  }
  if (bias != CUDNN_RNN_DOUBLE_BIAS || input != CUDNN_LINEAR_INPUT ||
      precision != CUDNN_DATA_FLOAT) {
    return services_of_graph().fail(3000, "bias, input or precision are not simulated");
  }
  const bool projects = projection != hidden;
  if (projects && (cell_of != CUDNN_LSTM || algorithm != CUDNN_RNN_ALGO_STANDARD)) {
    return services_of_graph().fail(3000, "projection");
  }
  recurrent_network& what = d->what;
  what.kind = static_cast<cell>(cell_of);
  what.inputs = static_cast<std::size_t>(inputs);
  what.hidden = static_cast<std::size_t>(hidden);
  what.projection = projects ? static_cast<std::size_t>(projection) : 0;
  what.layers = static_cast<std::size_t>(layers);
  what.directions = directions == CUDNN_BIDIRECTIONAL ? 2 : 1;
  what.store = [type](double value) { return rounded_to(type, value); };
  if (type == CUDNN_DATA_FLOAT && math != CUDNN_FMA_MATH) {
    what.factor = [](double value) { return rounded_to(CUDNN_DATA_HALF, value); };
  }
  d->type = type;
  d->algorithm = algorithm;
  d->math = math;
  d->padded = (flags & CUDNN_RNN_PADDED_IO_ENABLED) != 0;
  if (is_faulty("unsupported", name_of(*d, "forward").c_str())) {
    return services_of_graph().fail(3000, "no algorithm computes this");
  }
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnBuildRNNDynamic(cudnnHandle_t handle, cudnnRNNDescriptor_t d,
                                                    int batch) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnBuildRNNDynamic);
  if (!services_of_graph().is_supported(handle))
    return services_of_graph().fail(3007, "the GPU is not supported");
  d->built_for = batch;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateRNNDataDescriptor);
  *descriptor = new cudnnRNNDataStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyRNNDataDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t d,
                                                         cudnnDataType_t type,
                                                         cudnnRNNDataLayout_t layout, int steps,
                                                         int batch, int size, const int lengths[],
                                                         void* padding) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetRNNDataDescriptor);
  if (d == nullptr || steps <= 0 || batch <= 0 || size <= 0 || lengths == nullptr ||
      padding == nullptr) {
    return services_of_graph().fail(2000, "a size is out of range, or a pointer null");
  }
  if (layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED) {
    return services_of_graph().fail(3000, "layout is not simulated");
  }
  d->type = type;
  d->layout = layout;
  d->steps = static_cast<std::size_t>(steps);
  d->size = static_cast<std::size_t>(size);
  d->lengths.assign(lengths, lengths + batch);
  const bool sorted = std::is_sorted(d->lengths.rbegin(), d->lengths.rend());
  if (layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED && !sorted) {
    return services_of_graph().fail(2000, "seqLengthArray is not sorted");
  }
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t, cudnnRNNDescriptor_t d,
                                                          size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetRNNWeightSpaceSize);
  *bytes = weight_places(d->what).count * view_of(d->type).width();
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t, cudnnRNNDescriptor_t d,
                                                       int32_t layer, size_t, const void* weights,
                                                       int32_t id, cudnnTensorDescriptor_t,
                                                       void** matrix, cudnnTensorDescriptor_t,
                                                       void** bias) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetRNNWeightParams);
  const weight_places places(d->what);
  if (layer < 0 || static_cast<std::size_t>(layer) >= places.matrices.size() || id < 0) {
    return services_of_graph().fail(2000, "pseudoLayer or linLayerID");
  }
  const std::size_t p = static_cast<std::size_t>(layer);
  const auto at = [&](const std::vector<weight_places::place>& all) -> void* {
    if (static_cast<std::size_t>(id) >= all.size()) return nullptr;
    const char* const first = static_cast<const char*>(weights);
    return const_cast<char*>(first) +
           all[static_cast<std::size_t>(id)].first * view_of(d->type).width();
  };
  *matrix = at(places.matrices[p]);
  *bias = at(places.biases[p]);
  return CUDNN_STATUS_SUCCESS;
}
