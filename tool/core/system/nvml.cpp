// SPDX-License-Identifier: BSD-3-Clause
#include "nvml.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool list_nvml_gpus(const nvml_functions& nvml, arena_vector<gpu>& gpus) {
  constexpr int no_permission = 4;  // NVML_ERROR_NO_PERMISSION: a GPU that this process may not use
  unsigned count = 0;
  if (nvml.count(&count) != 0) return false;
  for (unsigned i = 0; i < count; ++i) {
    void* device = nullptr;
    const int status = nvml.handle(i, &device);
    if (status == no_permission) continue;
    char uuid[96] = {};
    char name[96] = {};
    gpu found;
    if (status != 0 || nvml.uuid(device, uuid, sizeof(uuid)) != 0 ||
        nvml.capability(device, &found.capability.major, &found.capability.minor) != 0) {
      return false;
    }
    if (nvml.name(device, name, sizeof(name)) == 0) found.name = name;
    found.uuid = uuid;
    found.index = static_cast<int>(gpus.size());
    gpus.push_back(found);
  }
  return true;
}

bool ask_nvml(const nvml_functions& nvml, arena_vector<gpu>& gpus) {
  gpus.clear();
  if (nvml.init() != 0) return false;
  const bool told = list_nvml_gpus(nvml, gpus);
  nvml.shutdown();
  if (!told) gpus.clear();
  return told;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
