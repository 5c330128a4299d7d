// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"
#include "../core/model/observation.h"
#include "workload.h"

namespace cudnn_checked::probe {

/// What is computed on each GPU.
struct work {
  arena_vector<const convolution_kind*> kinds;
  arena_vector<fused_operation> operations;
};

/// What one process computes on a GPU: share 0 the kernel, the convolutions and its part of the
/// fused operations, the others their part of them alone.
struct share {
  int device = 0;
  architecture capability;
  int number = 0;
  int of = 1;
};

/// Receives the next step, "graph/fp16/nchw on GPU 0", before anything that can end the process.
class stage_listener {
 public:
  virtual ~stage_listener() = default;
  virtual void stage(const arena_string& what) = 0;
};

/// The problems, each made when it is first needed and kept for the other GPUs.
class problem_store {
 public:
  const problem& get(std::size_t shape_index, element number);
  /// Keeps what the kernel computed, of fp32; empty forgets it.
  void keep_kernel(std::size_t shape_index, arena_vector<double> computed);

 private:
  static constexpr std::size_t shapes = sizeof convolution_shapes / sizeof convolution_shapes[0];
  problem problems_[shapes][2];
};

/// Runs the kernel, if there is one, and what is asked on one GPU.  Appends to
/// observed.kernel.runs, observed.convolutions and observed.skipped.  A failure ends nothing but
/// itself, except where it leaves the GPU's context unusable.  The context is gone afterwards.
/// False where cuDNN could not be started, which is then what was observed of all that was asked.
bool run_on_gpu(const share& part, const work& asked, problem_store& problems,
                stage_listener& listener, observation& observed);

}  // namespace cudnn_checked::probe
