// SPDX-License-Identifier: BSD-3-Clause
#include "convolutions.h"

#include "execution.h"
#include "run_twice.h"
#include "status.h"

namespace cudnn_checked::probe {

namespace legacy {

using tensor_descriptor = owner<cudnnTensorDescriptor_t, cudnnDestroyTensorDescriptor>;
using filter_descriptor = owner<cudnnFilterDescriptor_t, cudnnDestroyFilterDescriptor>;
using convolution_descriptor =
    owner<cudnnConvolutionDescriptor_t, cudnnDestroyConvolutionDescriptor>;

/// The algorithm that needs no tensor core and is there for every architecture: its numbers depend
/// on nothing but the sums.
static constexpr cudnnConvolutionFwdAlgo_t algorithm = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;

struct descriptors {
  tensor_descriptor x;
  tensor_descriptor y;
  filter_descriptor w;
  convolution_descriptor convolution;
};

static int extent(const tensor& shape, int dimension) {
  return static_cast<int>(shape.extent[dimension]);
}

static bool set_tensor(tensor_descriptor& descriptor, const tensor& shape, run_facts& result) {
  return succeeded(cudnnCreateTensorDescriptor(descriptor.receive()), "cudnnCreateTensorDescriptor",
                   result) &&
         succeeded(cudnnSetTensor4dDescriptor(descriptor.get(), CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                              extent(shape, 0), extent(shape, 1), extent(shape, 2),
                                              extent(shape, 3)),
                   "cudnnSetTensor4dDescriptor", result);
}

static bool set_filter(filter_descriptor& descriptor, const tensor& shape, run_facts& result) {
  return succeeded(cudnnCreateFilterDescriptor(descriptor.receive()), "cudnnCreateFilterDescriptor",
                   result) &&
         succeeded(cudnnSetFilter4dDescriptor(descriptor.get(), CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW,
                                              extent(shape, 0), extent(shape, 1), extent(shape, 2),
                                              extent(shape, 3)),
                   "cudnnSetFilter4dDescriptor", result);
}

static bool set_convolution(convolution_descriptor& descriptor, int padding, run_facts& result) {
  return succeeded(cudnnCreateConvolutionDescriptor(descriptor.receive()),
                   "cudnnCreateConvolutionDescriptor", result) &&
         succeeded(cudnnSetConvolution2dDescriptor(descriptor.get(), padding, padding, 1, 1, 1, 1,
                                                   CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
                   "cudnnSetConvolution2dDescriptor", result) &&
         succeeded(cudnnSetConvolutionMathType(descriptor.get(), CUDNN_FMA_MATH),
                   "cudnnSetConvolutionMathType", result);
}

static bool set_descriptors(descriptors& d, const problem& what, run_facts& result) {
  return set_tensor(d.x, what.x_tensor(1, tensor_layout::nchw), result) &&
         set_filter(d.w, what.w_tensor(tensor_layout::nchw), result) &&
         set_convolution(d.convolution, what.shape.padding(), result) &&
         set_tensor(d.y, what.y_tensor(1, tensor_layout::nchw), result);
}

}  // namespace legacy

void run_legacy_convolution(cudnnHandle_t handle, const problem& what, run_facts& result) {
  result.shape = to_string(what.shape, 1);
  result.products = what.shape.products();
  result.math = convolution_math::fma;
  result.engine = legacy::algorithm;
  legacy::descriptors d;
  if (!legacy::set_descriptors(d, what, result)) return;

  size_t workspace_bytes = 0;
  if (!succeeded(
          cudnnGetConvolutionForwardWorkspaceSize(handle, d.x.get(), d.w.get(), d.convolution.get(),
                                                  d.y.get(), legacy::algorithm, &workspace_bytes),
          "cudnnGetConvolutionForwardWorkspaceSize", result)) {
    return;
  }
  execution arrays(what, 1, tensor_layout::nchw);
  if (!arrays.prepare(result) || !arrays.allocate_workspace(workspace_bytes, result)) return;

  const auto once = [&](run_facts& told) {
    const float one = 1;
    const float zero = 0;  // cuDNN does not read y then, so that the poison must be gone
    return succeeded(
        cudnnConvolutionForward(handle, &one, d.x.get(), arrays.x(), d.w.get(), arrays.w(),
                                d.convolution.get(), legacy::algorithm, arrays.workspace(),
                                arrays.workspace_bytes(), &zero, d.y.get(), arrays.y()),
        "cudnnConvolutionForward", told);
  };
  run_twice(arrays, once, result);
}

}  // namespace cudnn_checked::probe
