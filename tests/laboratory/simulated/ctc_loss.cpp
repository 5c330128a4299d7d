// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_adv: CTC, by logarithms of probabilities in float, with both algorithms alike.
#include <algorithm>
#include <limits>

#include "operation_call.h"

using namespace simulated;

struct cudnnCTCLossStruct {
  int longest = std::numeric_limits<int>::max();
};

namespace {

constexpr float never = -std::numeric_limits<float>::infinity();

float sum_of_logarithms(float a, float b) {
  const float larger = std::max(a, b);
  return larger == never ? never : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

/// One sequence: the logarithm of the probability of what is before and behind each place.
struct lattice {
  std::size_t steps, classes, places;
  const int* labels;
  floats log_p, forward, backward;

  lattice(std::size_t steps_of, std::size_t classes_of, const int* of, int count)
      : steps(steps_of),
        classes(classes_of),
        places(2 * static_cast<std::size_t>(count) + 1),
        labels(of),
        forward(steps * places, never),
        backward(steps * places, never) {}

  std::size_t label(std::size_t s) const {
    return s % 2 == 0 ? 0 : static_cast<std::size_t>(labels[s / 2]);
  }
  bool skips(std::size_t s) const { return s >= 2 && label(s) != 0 && label(s) != label(s - 2); }
  float p(std::size_t t, std::size_t s) const { return log_p[t * classes + label(s)]; }

  void add_step(const float* logits) {
    float largest = never;
    for (std::size_t k = 0; k < classes; ++k) largest = std::max(largest, logits[k]);
    float sum = 0;
    for (std::size_t k = 0; k < classes; ++k) sum += std::exp(logits[k] - largest);
    for (std::size_t k = 0; k < classes; ++k) {
      log_p.push_back(logits[k] - largest - std::log(sum));
    }
  }

  void run() {
    for (std::size_t t = 0; t < steps; ++t) {
      for (std::size_t s = 0; s < places; ++s) {
        float before = t == 0 && s < 2 ? 0 : never;
        if (t > 0) {
          before = forward[(t - 1) * places + s];
          if (s > 0) before = sum_of_logarithms(before, forward[(t - 1) * places + s - 1]);
          if (skips(s)) before = sum_of_logarithms(before, forward[(t - 1) * places + s - 2]);
        }
        forward[t * places + s] = before + p(t, s);
      }
    }
    for (std::size_t t = steps; t-- > 0;) {
      for (std::size_t s = 0; s < places; ++s) {
        float after = t + 1 == steps && s + 2 >= places ? 0 : never;
        if (t + 1 < steps) {
          const float* const next = &backward[(t + 1) * places];
          after = next[s] + p(t + 1, s);
          if (s + 1 < places) after = sum_of_logarithms(after, next[s + 1] + p(t + 1, s + 1));
          if (s + 2 < places && skips(s + 2)) {
            after = sum_of_logarithms(after, next[s + 2] + p(t + 1, s + 2));
          }
        }
        backward[t * places + s] = after;
      }
    }
  }

  float all() const {
    const float* const last = &forward[(steps - 1) * places];
    return places > 1 ? sum_of_logarithms(last[places - 1], last[places - 2]) : last[0];
  }
};

cudnnStatus_t compute_loss(cudnnHandle_t handle, cudnnCTCLossDescriptor_t descriptor,
                           cudnnTensorDescriptor_t x, const void* x_data, const int* labels,
                           const int* label_lengths, const int* lengths, void* costs, void* dx,
                           const void* workspace, std::size_t workspace_bytes) {
  const cudnnStatus_t status = check("ctc-loss", handle, x, x_data, &alpha_of_one, &beta_of_zero);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (workspace_bytes < 256 || !is_device_memory(workspace, workspace_bytes)) {
    return cudnn_simulated_services()->fail(2000, "the workspace");
  }
  const auto extent = [&](int axis) { return static_cast<std::size_t>(x->view.extent[axis]); };
  const std::size_t batch = extent(1);
  const std::size_t classes = x->view.elements() / extent(0) / batch;
  const floats logits = read(*x, x_data);
  floats losses, result(logits.size(), 0);
  const int* label = labels;
  for (std::size_t n = 0; n < batch; ++n) {
    if (label_lengths[n] > descriptor->longest) {
      return cudnn_simulated_services()->fail(2000, "a sequence has more labels");
    }
    lattice one_sequence(static_cast<std::size_t>(lengths[n]), classes, label, label_lengths[n]);
    label += label_lengths[n];
    for (std::size_t t = 0; t < one_sequence.steps; ++t) {
      one_sequence.add_step(&logits[(t * batch + n) * classes]);
    }
    one_sequence.run();
    const float all = one_sequence.all();
    losses.push_back(-all);
    for (std::size_t t = 0; t < one_sequence.steps; ++t) {
      float* const gradient = &result[(t * batch + n) * classes];
      for (std::size_t k = 0; k < classes; ++k) {
        gradient[k] = std::exp(one_sequence.log_p[t * classes + k]);
      }
      for (std::size_t s = 0; s < one_sequence.places; ++s) {
        const std::size_t i = t * one_sequence.places + s;
        gradient[one_sequence.label(s)] -=
            std::exp(one_sequence.forward[i] + one_sequence.backward[i] - all);
      }
    }
  }
  cudnnTensorStruct line;
  line.view =
      packed(CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, {1, 1, 1, 1, static_cast<std::int64_t>(batch)});
  write("ctc-loss-alone", line, losses, costs);
  write("ctc-loss", *x, result, dx);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t cudnnCreateCTCLossDescriptor(cudnnCTCLossDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateCTCLossDescriptor);
  *descriptor = new cudnnCTCLossStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnDestroyCTCLossDescriptor(cudnnCTCLossDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroyCTCLossDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t,
                                                           cudnnDataType_t type,
                                                           cudnnLossNormalizationMode_t of,
                                                           cudnnNanPropagation_t) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetCTCLossDescriptorEx);
  if (type != CUDNN_DATA_FLOAT || of != CUDNN_LOSS_NORMALIZATION_SOFTMAX) {
    return cudnn_simulated_services()->fail(3000, "logits in fp32 are simulated");
  }
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t descriptor,
                                                            cudnnDataType_t type,
                                                            cudnnLossNormalizationMode_t of,
                                                            cudnnNanPropagation_t, int longest) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetCTCLossDescriptor_v8);
  if (type != CUDNN_DATA_FLOAT || of != CUDNN_LOSS_NORMALIZATION_SOFTMAX) {
    return cudnn_simulated_services()->fail(3000, "logits in fp32 are simulated");
  }
  descriptor->longest = longest;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetCTCLossWorkspaceSize(
    cudnnHandle_t, cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, const int*, const int*,
    const int*, cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t, size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetCTCLossWorkspaceSize);
  *bytes = 256;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnGetCTCLossWorkspaceSize_v8(cudnnHandle_t, cudnnCTCLossAlgo_t,
                                                               cudnnCTCLossDescriptor_t,
                                                               cudnnTensorDescriptor_t,
                                                               cudnnTensorDescriptor_t,
                                                               size_t* bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnGetCTCLossWorkspaceSize_v8);
  *bytes = 256;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnCTCLoss(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                            const void* x_data, const int labels[],
                                            const int label_lengths[], const int lengths[],
                                            void* costs, cudnnTensorDescriptor_t, void* dx_data,
                                            cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t descriptor,
                                            void* workspace, size_t workspace_bytes) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCTCLoss);
  return compute_loss(handle, descriptor, x, x_data, labels, label_lengths, lengths, costs, dx_data,
                      workspace, workspace_bytes);
}

SIMULATED_EXPORT cudnnStatus_t cudnnCTCLoss_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t,
                                               cudnnCTCLossDescriptor_t descriptor,
                                               cudnnTensorDescriptor_t x, const void* x_data,
                                               const int labels[], const int label_lengths[],
                                               const int lengths[], void* costs,
                                               cudnnTensorDescriptor_t, void* dx_data,
                                               size_t workspace_bytes, void* workspace) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCTCLoss_v8);
  if (!is_device_memory(labels, sizeof(int)) || !is_device_memory(lengths, sizeof(int))) {
    return cudnn_simulated_services()->fail(2000, "labels are in the memory of the host");
  }
  return compute_loss(handle, descriptor, x, x_data, labels, label_lengths, lengths, costs, dx_data,
                      workspace, workspace_bytes);
}
