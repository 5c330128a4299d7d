// SPDX-License-Identifier: BSD-3-Clause
#include "gpu_roster.h"

#include <algorithm>

namespace cudnn_checked::sweep {

void gpu_roster::name_all() {
  for (const int device : devices_) all_.push_back({device, {}, 0, {}, 0, {}});
}

bool gpu_roster::learn_of_count(int count) {
  if (is_known_ || count <= 0) return false;
  is_known_ = true;
  devices_.clear();
  for (int device = 0; device < count; ++device) devices_.push_back(device);
  name_all();
  return true;
}

std::string gpu_roster::learn_of_gpu(int device, const machine& on) {
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

void gpu_roster::retire(int device, const std::string& why) {
  devices_.erase(std::remove(devices_.begin(), devices_.end(), device), devices_.end());
  for (swept_gpu& one : all_) {
    if (one.device == device) one.why_not = why;
  }
}

}  // namespace cudnn_checked::sweep
