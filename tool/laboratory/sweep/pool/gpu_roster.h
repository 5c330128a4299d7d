// SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs that share a sweep: which there are, and which of them compute.
#pragma once

#include <algorithm>
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
  bool learn_of_count(int count) {
    if (is_known_ || count <= 0) return false;
    is_known_ = true;
    devices_.clear();
    for (int device = 0; device < count; ++device) devices_.push_back(device);
    name_all();
    return true;
  }

  /// What a worker computes on.  Else it says why it does not fit.
  std::string learn_of_gpu(int device, const machine& on) {
    for (swept_gpu& one : all_) {
      if (one.device == device) one.uuid = on.gpu_uuid;
    }
    if (first_.gpu.empty()) first_ = on;
    if (on.gpu == first_.gpu && on.capability == first_.capability) return {};
    const auto kind = [](const machine& of) {
      return of.gpu + " (sm_" + std::to_string(of.capability) + ")";
    };
    return "a sweep is of GPUs of one kind: GPU " + std::to_string(device) + " is " + kind(on) +
           ", and others are " + kind(first_);
  }

  /// It computes no more.
  void retire(int device, const std::string& why) {
    devices_.erase(std::remove(devices_.begin(), devices_.end(), device), devices_.end());
    for (swept_gpu& one : all_) {
      if (one.device == device) one.why_not = why;
    }
  }

  const std::vector<int>& devices() const { return devices_; }  ///< those that compute
  const std::vector<swept_gpu>& all() const { return all_; }

 private:
  void name_all() {
    for (const int device : devices_) all_.push_back({device, {}, 0, {}, 0, {}});
  }

  std::vector<swept_gpu> all_;
  std::vector<int> devices_;
  bool is_known_;
  machine first_;
};

}  // namespace cudnn_checked::sweep
