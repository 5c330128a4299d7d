// SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs that share a sweep: which there are, and which of them compute.
#pragma once

#include <string>
#include <vector>

#include "../model/record.h"

namespace cudnn_checked::sweep {

class gpu_roster {
 public:
  explicit gpu_roster(const request& asked)
      : devices_(asked.devices), is_known_(!asked.each_device) {
    if (is_known_) name_all();
  }

  /// If each GPU is asked for: a worker has told how many CUDA counts.  True if that is news.
  bool learn_of_count(int count);
  /// What a worker computes on.  Else it says why it does not fit.
  std::string learn_of_gpu(int device, const machine& on);
  /// It computes no more.
  void retire(int device, const std::string& why);

  const std::vector<int>& devices() const { return devices_; }  ///< those that compute
  const std::vector<swept_gpu>& all() const { return all_; }

 private:
  void name_all();

  std::vector<swept_gpu> all_;
  std::vector<int> devices_;
  bool is_known_;
  machine first_;
};

}  // namespace cudnn_checked::sweep
