// SPDX-License-Identifier: BSD-3-Clause
//
// What the operations of libcudnn_ops have in common: the numbers of a tensor by their place in
// NCHW, computed in float as a kernel does.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "../../simulated/cuda/driver_functions.h"
#include "../../simulated/cudnn/services.h"
#include "../../simulated/cudnn/tensor_elements.h"

namespace simulated {

using floats = std::vector<float>;

/// The alpha and beta of calls that have none.
inline constexpr float alpha_of_one = 1;
inline constexpr float beta_of_zero = 0;

/// Packed NCHW, whatever the order in memory.
inline floats read(const cudnnTensorStruct& of, const void* data) { return unpack(of.view, data); }

/// An operation in a type: how faults name it.
inline std::string name_of(const char* operation, const cudnnTensorStruct& of) {
  const char* const type = of.view.type == CUDNN_DATA_FLOAT  ? "fp32"
                           : of.view.type == CUDNN_DATA_HALF ? "fp16"
                                                             : "bf16";
  return std::string(operation) + "/" + type;
}

/// The number that the type of a tensor has nearest to it.
inline float stored_as(const cudnnTensorStruct& of, float value) {
  unsigned char bytes[4];
  store(of.view, bytes, 0, value);
  return load(of.view, bytes, 0);
}

/// From packed NCHW, with the faults of the operation.
inline void write(const char* operation, const cudnnTensorStruct& of, floats values, void* data) {
  const std::string name = name_of(operation, of);
  if (is_faulty("unwritten", name.c_str())) return;
  // A part of what is right is not.
  if (is_faulty("wrong", name.c_str())) values[values.size() / 2] += 0.25F;
  if (is_faulty("nan", name.c_str())) values[values.size() / 2] = NAN;
  std::size_t i = 0;
  each(of.view, [&](std::int64_t at) { store(of.view, data, at, values[i++]); });
}

/// What each function looks at first.
inline cudnnStatus_t check(const char* operation, cudnnHandle_t handle, const cudnnTensorStruct* x,
                           const void* data, const void* alpha, const void* beta) {
  const services& graph = *cudnn_simulated_services();
  if (x == nullptr || data == nullptr) return graph.fail(2000, "a descriptor or array is null");
  if (!graph.is_supported(handle)) return graph.fail(3007, "the GPU is not supported");
  if (*static_cast<const float*>(alpha) != 1 || *static_cast<const float*>(beta) != 0) {
    return graph.fail(3000, "alpha and beta are not simulated");
  }
  if (!is_device_memory(data, x->view.bytes())) {
    return graph.fail(5000, "an array is not device memory");
  }
  if (is_faulty("unsupported", name_of(operation, *x).c_str())) {
    return graph.fail(3000, "nothing computes this");
  }
  return CUDNN_STATUS_SUCCESS;
}

/// Extents of a tensor of four dimensions.
struct image {
  std::size_t batch, channels, height, width;

  explicit image(const cudnnTensorStruct& of)
      : batch(extent(of, 0)),
        channels(extent(of, 1)),
        height(extent(of, 3)),
        width(extent(of, 4)) {}
  std::size_t places() const { return height * width; }

 private:
  static std::size_t extent(const cudnnTensorStruct& of, int axis) {
    return static_cast<std::size_t>(of.view.extent[axis]);
  }
};

}  // namespace simulated
