// SPDX-License-Identifier: BSD-3-Clause
#include "../system/platform.h"
#include "cuda_visible_devices.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void observe_gpus_on_pci(const system_interface& os, observation& observed) {
  observed.devices = gpu_facts();
  observed.devices.source = gpu_source::pci;
  const visible_devices wanted = read_visible_devices(os);
  arena_vector<gpu> machine;
  if (wanted.mode == visible_devices::form::none) {
    keep_visible(wanted, machine, observed.devices);
    return;
  }
  if (wanted.mode == visible_devices::form::mig) return;
  const gpu_uuids uuids =
      wanted.mode == visible_devices::form::uuids ? gpu_uuids::needed : gpu_uuids::not_needed;
  if (!list_pci_gpus(os, uuids, machine)) return;
  keep_visible(wanted, machine, observed.devices);
  // Only NVML may say that a GPU does not exist.
  if (observed.devices.visible == answer::no) observed.devices = gpu_facts();
  observed.devices.source = gpu_source::pci;
}

void observe_gpus_with_nvml(const system_interface& os, observation& observed) {
  observed.devices = gpu_facts();
  observed.devices.source = gpu_source::nvml;
  const visible_devices wanted = read_visible_devices(os);
  arena_vector<gpu> machine;
  // NVML need not be asked where the environment hides every GPU.
  if (wanted.mode == visible_devices::form::none || os.nvml_gpus(machine)) {
    keep_visible(wanted, machine, observed.devices);
  } else if (has_gpu_node(os)) {
    // NVML fails where the halves of the driver are of different releases.
    observed.devices.visible = answer::yes;
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
