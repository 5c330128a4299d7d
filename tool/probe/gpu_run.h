// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "teller.h"
#include "workload.h"

namespace cudnn_checked::probe {

struct gpu {
  int index = 0;
  std::string uuid;
  int major = 0;  ///< compute capability
  int minor = 0;
};

/// What is computed on each GPU.
struct work {
  std::vector<const convolution_kind*> kinds;
  std::vector<fused_operation> operations;
};

/// What one process computes on a GPU: share 0 the kernel, the convolutions and its part of the
/// fused operations, the others their part of them alone.
struct share {
  int device = 0;
  int major = 0;  ///< compute capability
  int minor = 0;
  int number = 0;
  int of = 1;
};

/// The problems, each made when it is first needed and kept for the other GPUs.
class problem_store {
 public:
  const problem& get(std::size_t shape_index, element number);
  /// Keeps what the kernel computed, of fp32; empty forgets it.
  void keep_kernel(std::size_t shape_index, std::vector<double> computed);

 private:
  static constexpr std::size_t shapes = sizeof convolution_shapes / sizeof convolution_shapes[0];
  problem problems_[shapes][2];
};

/// Runs the kernel, if there is one, and what is asked on one GPU, and tells of each step and run.
/// A failure ends nothing but itself, except where it leaves the GPU's context unusable.  The
/// context is gone afterwards.  False where cuDNN could not be started: that is told as the failure
/// of all that was asked if `tells_failure`, else nothing of it is.
bool run_on_gpu(const share& part, const work& asked, problem_store& problems, const teller& tell,
                bool tells_failure);

}  // namespace cudnn_checked::probe
