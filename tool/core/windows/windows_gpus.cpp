// SPDX-License-Identifier: BSD-3-Clause
//
// What Windows says of NVIDIA's driver and GPUs without asking the driver.
#include "../system/platform.h"
#include "windows_header.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Only the driver's library has the driver's version.
void read_kernel_driver(const system_interface&, driver_facts&) {}

// NVML lists the GPUs.
bool list_pci_gpus(const system_interface&, gpu_uuids, arena_vector<gpu>&) { return false; }

bool has_gpu_node(const system_interface&) { return false; }

// Display adapters: Microsoft, "EnumDisplayDevices"; the id is "PCI\VEN_10DE&DEV_...".
bool has_gpu_hardware(const system_interface&) {
  DISPLAY_DEVICEA device = {};
  device.cb = sizeof device;
  for (DWORD i = 0; EnumDisplayDevicesA(nullptr, i, &device, 0) != 0; ++i) {
    if (std::string_view(device.DeviceID).find("VEN_10DE") != std::string_view::npos) return true;
  }
  return false;
}

// A PE file names none: there is one loader.
bool is_known_interpreter(arena_string) { return true; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
