// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu_run.h"

namespace cudnn_checked::probe {

/// Computes shares side by side, each in a process of its own: one that hangs or dies does so on
/// its GPU alone, and is named.  Their parent is a process that never calls CUDA.  All of them end
/// with the process that has made this.  On Windows there is no fork(2), and no process for a GPU.
class gpu_processes {
 public:
  /// To be made before the first call of CUDA: what CUDA has started does not survive fork(2).
  explicit gpu_processes(const work& asked);
  ~gpu_processes();
  gpu_processes(const gpu_processes&) = delete;
  gpu_processes& operator=(const gpu_processes&) = delete;

  /// Into how many shares the fused operations of a GPU are divided: at most 8, and no more than
  /// there are processors.
  static int most_shares();

  /// False where there is no process for it.
  bool start(const share& asked);

  /// Waits for all that were started, and appends what they have seen to `observed`, in the order
  /// of their start.  Where one has died, so does this process, in the same way and in its stage.
  /// Returns the shares that cuDNN could not be started for (memory): nothing of them is observed.
  arena_vector<share> finish(stage_listener& listener, observation& observed);

 private:
  struct part {
    share asked;
    arena_string stage;  ///< empty: it has ended
    arena_vector<convolution> kernel_runs;
    arena_vector<convolution> convolutions;
    arena_vector<arena_string> skipped;
  };
  void tell(stage_listener& listener) const;

  int parent_ = -1;   ///< a process id
  int orders_ = -1;   ///< shares, to the parent of the processes
  int answers_ = -1;  ///< what all of them see
  arena_vector<part> parts_;
};

}  // namespace cudnn_checked::probe
