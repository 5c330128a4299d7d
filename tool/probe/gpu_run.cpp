// SPDX-License-Identifier: BSD-3-Clause
#include "gpu_run.h"

#include <cuda_runtime_api.h>
#include <cudnn.h>

#include <algorithm>
#include <string>
#include <utility>

#include "../convolution/owner.h"
#include "convolutions.h"
#include "operations.h"
#include "status.h"

namespace cudnn_checked::probe {

using compute::owner;

void problem_store::keep_kernel(std::size_t shape_index, std::vector<double> computed) {
  problems_[shape_index][0].by_kernel = std::move(computed);
}

const problem& problem_store::get(std::size_t shape_index, element number) {
  problem& wanted = problems_[shape_index][number == element::fp32 ? 0 : 1];
  if (wanted.x.empty()) wanted = make_problem(shape_index, number);
  return wanted;
}

namespace {

constexpr std::size_t shape_count = sizeof convolution_shapes / sizeof convolution_shapes[0];

/// Destroys the context at the end, so that leak checkers find nothing.
struct context_guard {
  context_guard() = default;
  ~context_guard() { (void)cudaDeviceReset(); }
  context_guard(const context_guard&) = delete;
  context_guard& operator=(const context_guard&) = delete;
};

/// After some errors (for example an illegal address) all later calls on the context fail as well.
bool context_is_lost() {
  (void)cudaGetLastError();  // of the call that failed, already reported
  return cudaDeviceSynchronize() != cudaSuccess;
}

class gpu_run : private operation_keeper {
 public:
  gpu_run(const share& part, problem_store& problems, const teller& tell)
      : part_(part), problems_(problems), tell_(tell) {}

  bool run(const work& asked, bool tells_failure) {
    const context_guard context;
    owner<cudnnHandle_t, cudnnDestroy> handle;
    run_facts failure;
#ifdef CUDNN_CHECKED_PROBE_KERNEL
    if (part_.number == 0) run_kernel();
#endif
    tell_.step("cudnnCreate" + on_gpu());
    if (!succeeded(cudaSetDevice(part_.device), "cudaSetDevice", failure) ||
        !succeeded(cudnnCreate(handle.receive()), "cudnnCreate", failure)) {
      if (tells_failure) fail_all(asked, failure);
      return false;
    }
    if (part_.number == 0) {
      for (const convolution_kind* kind : asked.kinds) run_kind(handle.get(), *kind);
    }
    for (const fused_operation what : asked.operations) {
      if (begin(to_string(what), step_kind::operation))
        run_operation(handle.get(), what, part_, turn_, *this);
    }
    return true;
  }

 private:
  std::string on_gpu() const { return " on GPU " + std::to_string(part_.device); }

  void fail_all(const work& asked, run_facts failure) {
    if (part_.number == 0) {
      for (const convolution_kind* kind : asked.kinds) {
        failure.shape = to_string(convolution_shapes[0], batches[0]);
        describe(*kind, failure);
        tell_.run(teller::computed_by::cudnn, failure);
      }
    }
    for (const fused_operation what : asked.operations) {
      failure.shape = first_shape_of(what);
      failure.operation = what;
      failure.type = element::fp16;
      failure.device = part_.device;
      tell_.run(teller::computed_by::cudnn, failure);
    }
  }

  void describe(const convolution_kind& kind, run_facts& result) const {
    result.api = kind.api;
    result.type = kind.number;
    result.layout = kind.order;
    result.device = part_.device;
  }

#ifdef CUDNN_CHECKED_PROBE_KERNEL
  /// Runs before cuDNN, because the results of cuDNN are compared with those of the kernel.
  void run_kernel() {
    tell_.step("the kernel" + on_gpu(), step_kind::kernel);
    bool failed = false;
    for (std::size_t shape = 0; shape < shape_count; ++shape) {
      problems_.keep_kernel(shape, {});
      if (failed) continue;
      run_facts result;
      result.device = part_.device;
      result.problem = static_cast<long long>(shape);
      if (succeeded(cudaSetDevice(part_.device), "cudaSetDevice", result)) {
        problems_.keep_kernel(shape,
                              run_kernel_convolution(problems_.get(shape, element::fp32), result));
      }
      failed = result.ran == 0;
      tell_.run(teller::computed_by::kernel, result);
    }
    if (failed && context_is_lost()) (void)cudaDeviceReset();
  }
#endif

  /// True if `name` can be run; then it is reported as the next step.
  bool begin(const std::string& name, step_kind of) {
    if (lost_by_.empty()) {
      tell_.step(name + on_gpu(), of);
      return true;
    }
    tell_.skipped(name + on_gpu(), "the GPU's context was lost by " + lost_by_, of);
    return false;
  }

  void run_kind(cudnnHandle_t handle, const convolution_kind& kind) {
    if (!begin(kind.name, step_kind::other)) return;
    if (kind.legacy()) {
      run_facts result;
      describe(kind, result);
      run_legacy_convolution(handle, problems_.get(0, kind.number), result);
      keep(result);
      return;
    }
    for (std::size_t shape = 0; shape < shape_count; ++shape) {
      for (const int batch : batches) {
        if (!lost_by_.empty()) return;
        run_facts result;
        describe(kind, result);
        result.problem = static_cast<long long>(shape);
        run_graph_convolution(handle, problems_.get(shape, kind.number), batch, kind.order, result);
        keep(result);
      }
    }
  }

  bool keep(const run_facts& result) override {
    tell_.run(teller::computed_by::cudnn, result);
    if (result.ran == 0 && context_is_lost()) {
      lost_by_ = result.failed_call + ", " + result.status_name;
    }
    return lost_by_.empty();
  }

  void skip(const std::string& what, const std::string& why) override {
    tell_.skipped(what + on_gpu(), why, step_kind::operation);
  }

  const share& part_;
  problem_store& problems_;
  const teller& tell_;
  int turn_ = 0;  ///< of the problems of operations, which are computed after all else
  std::string lost_by_;
};

}  // namespace

bool run_on_gpu(const share& part, const work& asked, problem_store& problems, const teller& tell,
                bool tells_failure) {
  return gpu_run(part, problems, tell).run(asked, tells_failure);
}

}  // namespace cudnn_checked::probe
