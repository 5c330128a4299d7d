// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_ops: grid and sampler of spatial transformers, in fp32.
#include <algorithm>

#include "operation_call.h"

using namespace simulated;

struct cudnnSpatialTransformerStruct {
  std::size_t batch = 1, channels = 1, height = 1, width = 1;  ///< of the output
};

namespace {

/// A descriptor of as many numbers, for write() and check().
cudnnTensorStruct line_of(std::size_t count) {
  cudnnTensorStruct made;
  made.view =
      packed(CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, {1, 1, 1, 1, static_cast<std::int64_t>(count)});
  return made;
}

float along(std::size_t i, std::size_t count) {
  return 2 * static_cast<float>(i) / static_cast<float>(count - 1) - 1;
}

/// The weight of an element of x for a place of the grid: of a tent on it.
float weight_of(float grid, std::size_t i, std::size_t count) {
  const float at = (grid + 1) * static_cast<float>(count - 1) / 2;
  return std::max(0.0F, 1 - std::fabs(at - static_cast<float>(i)));
}
/// Its slope along the grid.
float slope_of(float grid, std::size_t i, std::size_t count) {
  const float scale = static_cast<float>(count - 1) / 2;
  const float away = (grid + 1) * scale - static_cast<float>(i);
  if (std::fabs(away) >= 1) return 0;
  return away < 0 ? scale : -scale;
}

/// Calls visit(output, element of x, w weight, h weight, place) of all that may meet.
template <typename visitor>
void each_pair(const cudnnSpatialTransformerStruct& to, const image& x, const visitor& visit) {
  for (std::size_t n = 0; n < to.batch; ++n) {
    for (std::size_t place = 0; place < to.height * to.width; ++place) {
      for (std::size_t c = 0; c < x.channels; ++c) {
        const std::size_t output = (n * to.channels + c) * to.height * to.width + place;
        for (std::size_t i = 0; i < x.places(); ++i) {
          visit(output, (n * x.channels + c) * x.places() + i, i, n * to.height * to.width + place);
        }
      }
    }
  }
}

}  // namespace

SIMULATED_EXPORT cudnnStatus_t
cudnnCreateSpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t* descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnCreateSpatialTransformerDescriptor);
  *descriptor = new cudnnSpatialTransformerStruct;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t
cudnnDestroySpatialTransformerDescriptor(cudnnSpatialTransformerDescriptor_t descriptor) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnDestroySpatialTransformerDescriptor);
  delete descriptor;
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSetSpatialTransformerNdDescriptor(
    cudnnSpatialTransformerDescriptor_t descriptor, cudnnSamplerType_t, cudnnDataType_t type,
    const int dimensions, const int extents[]) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSetSpatialTransformerNdDescriptor);
  if (dimensions != 4 || type != CUDNN_DATA_FLOAT) {
    return cudnn_simulated_services()->fail(3000, "images in fp32 are simulated");
  }
  descriptor->batch = static_cast<std::size_t>(extents[0]);
  descriptor->channels = static_cast<std::size_t>(extents[1]);
  descriptor->height = static_cast<std::size_t>(extents[2]);
  descriptor->width = static_cast<std::size_t>(extents[3]);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSpatialTfGridGeneratorForward(
    cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t to, const void* theta, void* grid) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSpatialTfGridGeneratorForward);
  const cudnnTensorStruct maps = line_of(to->batch * 6);
  const cudnnStatus_t status =
      check("spatial-grid/forward", handle, &maps, theta, &alpha_of_one, &beta_of_zero);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats values = read(maps, theta);
  floats result;
  for (std::size_t n = 0; n < to->batch; ++n) {
    for (std::size_t h = 0; h < to->height; ++h) {
      for (std::size_t w = 0; w < to->width; ++w) {
        for (std::size_t row = 0; row < 2; ++row) {
          const float* const map = &values[n * 6 + row * 3];
          result.push_back(map[0] * along(w, to->width) + map[1] * along(h, to->height) + map[2]);
        }
      }
    }
  }
  write("spatial-grid/forward", line_of(result.size()), result, grid);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSpatialTfGridGeneratorBackward(
    cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t to, const void* dgrid, void* dtheta) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSpatialTfGridGeneratorBackward);
  const cudnnTensorStruct places = line_of(to->batch * to->height * to->width * 2);
  const cudnnStatus_t status =
      check("spatial-grid/backward", handle, &places, dgrid, &alpha_of_one, &beta_of_zero);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const floats values = read(places, dgrid);
  floats result(to->batch * 6, 0);
  std::size_t i = 0;
  for (std::size_t n = 0; n < to->batch; ++n) {
    for (std::size_t h = 0; h < to->height; ++h) {
      for (std::size_t w = 0; w < to->width; ++w) {
        for (std::size_t row = 0; row < 2; ++row, ++i) {
          result[n * 6 + row * 3] += values[i] * along(w, to->width);
          result[n * 6 + row * 3 + 1] += values[i] * along(h, to->height);
          result[n * 6 + row * 3 + 2] += values[i];
        }
      }
    }
  }
  write("spatial-grid/backward", line_of(result.size()), result, dtheta);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSpatialTfSamplerForward(
    cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t to, const void* alpha,
    cudnnTensorDescriptor_t x, const void* x_data, const void* grid, const void* beta,
    cudnnTensorDescriptor_t y, void* y_data) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSpatialTfSamplerForward);
  const cudnnStatus_t status = check("spatial-sampler/forward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const image from(*x);
  const floats values = read(*x, x_data);
  const floats places = read(line_of(2 * to->batch * to->height * to->width), grid);
  floats result(y->view.elements(), 0);
  each_pair(*to, from, [&](std::size_t output, std::size_t at, std::size_t i, std::size_t place) {
    result[output] += values[at] * weight_of(places[2 * place], i % from.width, from.width) *
                      weight_of(places[2 * place + 1], i / from.width, from.height);
  });
  write("spatial-sampler/forward", *y, result, y_data);
  return CUDNN_STATUS_SUCCESS;
}

SIMULATED_EXPORT cudnnStatus_t cudnnSpatialTfSamplerBackward(
    cudnnHandle_t handle, cudnnSpatialTransformerDescriptor_t to, const void* alpha,
    cudnnTensorDescriptor_t x, const void* x_data, const void* beta, cudnnTensorDescriptor_t dx,
    void* dx_data, const void*, cudnnTensorDescriptor_t dy, const void* dy_data, const void* grid,
    const void*, void* dgrid) {
  SIMULATED_ENTER(cudnnStatus_t, cudnnSpatialTfSamplerBackward);
  const cudnnStatus_t status = check("spatial-sampler/backward", handle, x, x_data, alpha, beta);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  const image from(*x);
  const floats values = read(*x, x_data);
  const floats gradients = read(*dy, dy_data);
  const floats places = read(line_of(2 * to->batch * to->height * to->width), grid);
  floats of_x(values.size(), 0);
  floats of_grid(places.size(), 0);
  each_pair(*to, from, [&](std::size_t output, std::size_t at, std::size_t i, std::size_t place) {
    const float w = weight_of(places[2 * place], i % from.width, from.width);
    const float h = weight_of(places[2 * place + 1], i / from.width, from.height);
    of_x[at] += gradients[output] * w * h;
    of_grid[2 * place] += gradients[output] * values[at] * h *
                          slope_of(places[2 * place], i % from.width, from.width);
    of_grid[2 * place + 1] += gradients[output] * values[at] * w *
                              slope_of(places[2 * place + 1], i / from.width, from.height);
  });
  write("spatial-sampler/backward", *dx, of_x, dx_data);
  write("spatial-sampler/backward-grid", line_of(of_grid.size()), of_grid, dgrid);
  return CUDNN_STATUS_SUCCESS;
}
