// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu_run.h"

namespace cudnn_checked::probe {

/// Computes shares side by side, each in a process of its own: one that hangs or dies does so on
/// its GPU alone, and is named.  Each tells what it computes as a part of its own.  Their parent is
/// a process that never calls CUDA.  All of them end with the process that has made this.  On
/// Windows there is no fork(2), and no process for a GPU.
class gpu_processes {
 public:
  /// To be made before the first call of CUDA: what CUDA has started does not survive fork(2).
  gpu_processes(const work& asked, const teller& tell);
  ~gpu_processes();
  gpu_processes(const gpu_processes&) = delete;
  gpu_processes& operator=(const gpu_processes&) = delete;

  /// Into how many shares the fused operations of a GPU are divided: at most 8, and no more than
  /// there are processors.
  static int most_shares();

  /// False where there is no process for it.
  bool start(const share& asked);

  /// The number of the part that starts next.
  int next_part() const { return static_cast<int>(shares_.size()) + 1; }

  /// Waits for all that were started.  Where one has died, so does this process, in the same way.
  /// Returns the shares that cuDNN could not be started for (memory): nothing of them was told.
  std::vector<share> finish();

 private:
  int parent_ = -1;  ///< a process id
  int orders_ = -1;  ///< shares, to the parent of the processes
  int ends_ = -1;    ///< how each of them has ended
  teller tell_;
  std::vector<share> shares_;
};

}  // namespace cudnn_checked::probe
