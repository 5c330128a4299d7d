// SPDX-License-Identifier: BSD-3-Clause
#include "execution.h"

#include <algorithm>

#include "../convolution/compare.h"

namespace cudnn_checked::probe {

using compute::comparison;
using compute::poison_byte;

bool execution::upload(const std::vector<double>& values, const tensor& where,
                       device_memory& target, run_facts& result) {
  const std::vector<unsigned char> bytes = pack(values, where, problem_.number);
  return succeeded(cudaMalloc(target.receive(), bytes.size()), "cudaMalloc", result) &&
         succeeded(cudaMemcpy(target.get(), bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
                   "cudaMemcpy", result);
}

bool execution::prepare(run_facts& result) {
  const std::size_t y_bytes = y_tensor_.elements() * size_of(problem_.number);
  return upload(problem_.x, problem_.x_tensor(batch_, order_), x_, result) &&
         upload(problem_.w, problem_.w_tensor(order_), w_, result) &&
         succeeded(cudaMalloc(y_.receive(), y_bytes), "cudaMalloc", result);
}

bool execution::allocate_workspace(std::size_t bytes, run_facts& result) {
  workspace_.reset();
  workspace_bytes_ = bytes;
  return bytes == 0 || succeeded(cudaMalloc(workspace_.receive(), bytes), "cudaMalloc", result);
}

bool execution::poison(run_facts& result) {
  const std::size_t y_bytes = y_tensor_.elements() * size_of(problem_.number);
  if (!succeeded(cudaMemset(y_.get(), poison_byte, y_bytes), "cudaMemset", result)) return false;
  return workspace_bytes_ == 0 ||
         succeeded(cudaMemset(workspace_.get(), poison_byte, workspace_bytes_), "cudaMemset",
                   result);
}

bool execution::compare(run_facts& result) {
  computed_.resize(y_tensor_.elements() * size_of(problem_.number));
  if (!succeeded(cudaMemcpy(computed_.data(), y_.get(), computed_.size(), cudaMemcpyDeviceToHost),
                 "cudaMemcpy", result)) {
    return false;
  }
  const comparison observed = compute::compare(computed_.data(), problem_.number, y_tensor_,
                                               problem_.sum.data(), problem_.magnitude.data());
  if (observed.relative_error > result.relative_error)
    result.relative_error = observed.relative_error;
  if (observed.element_error > result.element_error) result.element_error = observed.element_error;
  result.unwritten = std::max(result.unwritten, static_cast<long long>(observed.unwritten));
  result.not_finite = std::max(result.not_finite, static_cast<long long>(observed.not_finite));
  if (!problem_.by_kernel.empty()) {
    const comparison other = compute::compare(computed_.data(), problem_.number, y_tensor_,
                                              problem_.by_kernel.data(), problem_.magnitude.data());
    if (other.element_error > result.difference) result.difference = other.element_error;
  }
  return true;
}

}  // namespace cudnn_checked::probe
