// SPDX-License-Identifier: BSD-3-Clause
#include "convolutions.h"

#include <cstring>

#include "execution.h"
#include "kernel/kernel.h"
#include "platform.h"
#include "run_twice.h"
#include "status.h"

namespace cudnn_checked::probe {

void prepare_kernel(const teller& tell) {
  cudnn_checked_kernel_compiler compiler;
  cudnn_checked_kernel_made_by(&compiler);
  tell.tell(facts::line_writer("kernel")
                .add("compiler", compiler.name)
                .add_whole("release", compiler.release)
                .add_whole("headers", compiler.headers));
  set_where_unset("CUDA_MODULE_LOADING", "LAZY");
}

std::vector<double> run_kernel_convolution(const problem& what, run_facts& result) {
  result.shape = to_string(what.shape, largest_batch);
  result.products = what.shape.products();
  result.math = convolution_math::fma;
  execution arrays(what, largest_batch, tensor_layout::nchw);
  if (!arrays.prepare(result)) return {};
  const cudnn_checked_kernel_problem problem = {static_cast<const float*>(arrays.x()),
                                                static_cast<const float*>(arrays.w()),
                                                static_cast<float*>(arrays.y()),
                                                largest_batch,
                                                what.shape.channels,
                                                what.shape.filters,
                                                what.shape.size,
                                                what.shape.kernel};
  const auto once = [&](run_facts& told) {
    return succeeded(static_cast<cudaError_t>(cudnn_checked_kernel_launch(&problem)),
                     "cudaLaunchKernel", told);
  };
  if (!run_twice(arrays, once, result)) return {};
  const std::vector<unsigned char>& bytes = arrays.computed();
  std::vector<double> computed(bytes.size() / sizeof(float));
  for (std::size_t i = 0; i < computed.size(); ++i) {
    float value = 0;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    computed[i] = static_cast<double>(value);
  }
  return computed;
}

}  // namespace cudnn_checked::probe
