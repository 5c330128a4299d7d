// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu_run.h"

namespace cudnn_checked::probe {

/// Computes shares in parallel, each in its own process: a process that hangs or dies affects only
/// its GPU, and is reported by name.  Each process reports its results under its own part number.
/// Their parent process never calls CUDA.  All of them end with the process that made this object.
/// Windows has no fork(2), and so no such processes.
class gpu_processes {
 public:
  /// Make this object before the first call of CUDA: a process that has started CUDA must not fork.
  gpu_processes(const work& asked, const teller& tell);
  ~gpu_processes();
  gpu_processes(const gpu_processes&) = delete;
  gpu_processes& operator=(const gpu_processes&) = delete;

  /// The number of shares that the fused operations of a GPU are divided into: at most 8, and at
  /// most the number of processors.
  static int most_shares();

  /// False if no process can be started for it.
  bool start(const share& asked);

  /// The number of the part that starts next.
  int next_part() const { return static_cast<int>(shares_.size()) + 1; }

  /// Waits for all processes.  If one of them has died, this process ends in the same way.  Returns
  /// the shares for which cuDNN could not be started (out of memory); they have no results yet.
  std::vector<share> finish();

 private:
  // Windows has no use for these.
  [[maybe_unused]] int parent_ = -1;  ///< a process id
  [[maybe_unused]] int orders_ = -1;  ///< shares, to the parent of the processes
  [[maybe_unused]] int ends_ = -1;    ///< how each of them has ended
  teller tell_;
  std::vector<share> shares_;
};

}  // namespace cudnn_checked::probe
