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

/// The work of one process on a GPU.  Share 0 computes the kernel, the convolutions and its part of
/// the fused operations; each other share computes only its part of the fused operations.
struct share {
  int device = 0;
  int major = 0;  ///< compute capability
  int minor = 0;
  int number = 0;
  int of = 1;
};

/// The problems.  Each one is made when it is first needed, and kept for the other GPUs.
class problem_store {
 public:
  const problem& get(std::size_t shape_index, element number);
  /// Keeps the result of the kernel for an fp32 problem; an empty one removes it.
  void keep_kernel(std::size_t shape_index, std::vector<double> computed);

 private:
  static constexpr std::size_t shapes = sizeof convolution_shapes / sizeof convolution_shapes[0];
  problem problems_[shapes][2];
};

/// Runs the kernel, if there is one, and the requested work on one GPU, and reports each step and
/// run.  Continues after a failure, unless it makes the context of the GPU unusable.  Destroys the
/// context at the end.  Returns false if cuDNN could not be started: if `tells_failure`, it reports
/// this as the failure of all requested work, otherwise nothing.
bool run_on_gpu(const share& part, const work& asked, problem_store& problems, const teller& tell,
                bool tells_failure);

}  // namespace cudnn_checked::probe
