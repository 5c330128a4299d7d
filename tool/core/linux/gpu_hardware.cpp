// SPDX-License-Identifier: BSD-3-Clause
//
// A GPU that is there, with or without a driver: only the command line asks.
#include "../system/platform.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool has_gpu_hardware(const system_interface& os) {
  arena_vector<arena_string> names;
  os.list("/sys/bus/pci/devices", "", names);
  for (const arena_string name : names) {
    arena_string vendor;
    arena_string kind;
    const arena_string directory = "/sys/bus/pci/devices/" + name;
    if (!os.read_text(directory + "/vendor", vendor) || !starts_with(vendor, "0x10de")) continue;
    if (os.read_text(directory + "/class", kind) &&
        (starts_with(kind, "0x0300") || starts_with(kind, "0x0302"))) {
      return true;
    }
  }
  return false;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
