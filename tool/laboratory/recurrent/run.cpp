// SPDX-License-Identifier: BSD-3-Clause
#include "run.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "../../probe/offered_plan.h"
#include "../../probe/run_twice.h"
#include "descriptors.h"
#include "gpu_array.h"
#include "weight_places.h"

namespace cudnn_checked::probe {

using compute::network_problem;

namespace {

class network_on_gpu {
 public:
  network_on_gpu(cudnnHandle_t handle, const network_problem& problem)
      : handle_(handle), problem_(problem), what_(problem.what) {}

  bool prepare(run_facts& result) {
    const element type = what_.type;
    const std::size_t states = h_elements(what_);
    const std::size_t cells = c_elements(what_);
    compute::failure told;
    if (!made_.make(handle_, problem_, told)) return report(told, result);
    if (!prepare_weights(result)) return false;
    network_array* const of_states[] = {&hx_, &hy_, &dhy_, &dhx_};
    network_array* const of_cells[] = {&cx_, &cy_, &dcy_, &dcx_};
    for (network_array* one : of_states) {
      if (!one->allocate(in_order(states), type, result)) return false;
    }
    for (network_array* one : of_cells) {
      if (cells > 0 && !one->allocate(in_order(cells), type, result)) return false;
    }
    for (network_array* one : {&x_, &dx_}) {
      if (!one->allocate(places_of_steps(what_, what_.inputs), type, result)) return false;
    }
    for (network_array* one : {&y_, &dy_}) {
      if (!one->allocate(places_of_steps(what_, what_.outputs()), type, result)) return false;
    }
    return prepare_spaces(result) && upload(result);
  }

  bool poison(run_facts& result) {
    for (network_array* one : {&y_, &hy_, &cy_, &dx_, &dhx_, &dcx_, &workspace_, &reserve_}) {
      if (!one->fill(compute::poison_byte, result)) return false;
    }
    // cuDNN adds the gradients of the weights to the contents of dw.
    return dw_.fill(0, result);
  }

  bool run(run_facts& result) {
    const auto lengths = static_cast<const std::int32_t*>(lengths_.get());
    const cudnnRNNDescriptor_t rnn = made_.rnn.get();
    const cudnnRNNDataDescriptor_t x = made_.x.get();
    const cudnnRNNDataDescriptor_t y = made_.y.get();
    const cudnnTensorDescriptor_t h = made_.h.get();
    const cudnnTensorDescriptor_t c = made_.c.get();
    if (!succeeded(
            cudnnRNNForward(handle_, rnn, mode(), lengths, x, x_.get(), y, y_.get(), h, hx_.get(),
                            hy_.get(), c, cx_.get(), cy_.get(), w_.bytes(), w_.get(),
                            workspace_.bytes(), workspace_.get(), reserve_.bytes(), reserve_.get()),
            "cudnnRNNForward", result)) {
      return false;
    }
    if (!problem_.gradients) return true;
    return succeeded(cudnnRNNBackwardData_v8(handle_, rnn, lengths, y, y_.get(), dy_.get(), x,
                                             dx_.get(), h, hx_.get(), dhy_.get(), dhx_.get(), c,
                                             cx_.get(), dcy_.get(), dcx_.get(), w_.bytes(),
                                             w_.get(), workspace_.bytes(), workspace_.get(),
                                             reserve_.bytes(), reserve_.get()),
                     "cudnnRNNBackwardData_v8", result) &&
           succeeded(cudnnRNNBackwardWeights_v8(handle_, rnn, CUDNN_WGRAD_MODE_ADD, lengths, x,
                                                x_.get(), h, hx_.get(), y, y_.get(), dw_.bytes(),
                                                dw_.get(), workspace_.bytes(), workspace_.get(),
                                                reserve_.bytes(), reserve_.get()),
                     "cudnnRNNBackwardWeights_v8", result);
  }

  bool compare(run_facts& result) const {
    const compute::network_results& expected = problem_.expected;
    return y_.compare("y", expected.y, result) && hy_.compare("hy", expected.hy, result) &&
           cy_.compare("cy", expected.cy, result) && dx_.compare("dx", expected.dx, result) &&
           dhx_.compare("dhx", expected.dhx, result) && dcx_.compare("dcx", expected.dcx, result) &&
           dw_.compare("dw", expected.dw, result);
  }

 private:
  cudnnForwardMode_t mode() const {
    return problem_.gradients ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE;
  }

  bool prepare_weights(run_facts& result) {
    std::size_t bytes = 0;
    if (!succeeded(cudnnGetRNNWeightSpaceSize(handle_, made_.rnn.get(), &bytes),
                   "cudnnGetRNNWeightSpaceSize", result) ||
        !w_.allocate({}, what_.type, bytes, result)) {
      return false;
    }
    element_places places;
    compute::failure told;
    compute::weight_finder finder(handle_, what_, made_.rnn.get(), w_.get(), bytes);
    if (!finder.find(places, told)) return report(told, result);
    w_.place(places);
    return dw_.allocate(std::move(places), what_.type, bytes, result);
  }

  bool prepare_spaces(run_facts& result) {
    std::size_t workspace = 0;
    std::size_t reserve = 0;
    return succeeded(cudnnGetRNNTempSpaceSizes(handle_, made_.rnn.get(), mode(), made_.x.get(),
                                               &workspace, &reserve),
                     "cudnnGetRNNTempSpaceSizes", result) &&
           workspace_.allocate({}, what_.type, workspace, result) &&
           reserve_.allocate({}, what_.type, reserve, result);
  }

  bool upload(run_facts& result) {
    const std::size_t bytes = what_.lengths.size() * sizeof(std::int32_t);
    std::vector<std::int32_t> lengths(what_.lengths.begin(), what_.lengths.end());
    if (!succeeded(cudaMalloc(lengths_.receive(), bytes), "cudaMalloc", result) ||
        !succeeded(cudaMemcpy(lengths_.get(), lengths.data(), bytes, cudaMemcpyHostToDevice),
                   "cudaMemcpy", result) ||
        !x_.upload(problem_.x, result) || !hx_.upload(problem_.hx, result) ||
        !cx_.upload(problem_.cx, result) || !w_.upload(problem_.parameters, result)) {
      return false;
    }
    return !problem_.gradients ||
           (dy_.upload(problem_.dy, result) && dhy_.upload(problem_.dhy, result) &&
            dcy_.upload(problem_.dcy, result));
  }

  cudnnHandle_t handle_;
  const network_problem& problem_;
  const network& what_;
  compute::network_descriptors made_;
  network_array x_, y_, hx_, hy_, cx_, cy_, w_;
  network_array dx_, dy_, dhx_, dhy_, dcx_, dcy_, dw_;
  network_array workspace_, reserve_;
  device_memory lengths_;
};

}  // namespace

void run_network_problem(cudnnHandle_t handle, const network_problem& problem, run_facts& result) {
  result.shape = problem.text().c_str();
  result.engine = static_cast<int>(problem.algorithm);
  network_on_gpu run(handle, problem);
  if (!run.prepare(result)) return;
  run_twice(
      run, [&run](run_facts& failed) { return run.run(failed); }, result);
}

bool describe_gpu(int device, compute::recurrent_gpu& gpu, run_facts& result) {
  return succeeded(cudaDeviceGetAttribute(&gpu.major, cudaDevAttrComputeCapabilityMajor, device),
                   "cudaDeviceGetAttribute", result) &&
         succeeded(cudaDeviceGetAttribute(&gpu.minor, cudaDevAttrComputeCapabilityMinor, device),
                   "cudaDeviceGetAttribute", result) &&
         succeeded(
             cudaDeviceGetAttribute(&gpu.multiprocessors, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute", result);
}

}  // namespace cudnn_checked::probe
