// SPDX-License-Identifier: BSD-3-Clause
//
// NVIDIA's kernel driver and the GPUs as Linux lists them, in /proc and /sys.  Whatever is not
// plain is left to NVML.
#include <cstddef>

#include "../catalogue/gpu_table.h"
#include "../model/paths.h"
#include "../system/platform.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Files such as `vendor` hold one number: "0x10de\n".
static bool read_pci_number(const system_interface& os, arena_string path, unsigned long& number) {
  arena_string text;
  if (!os.read_text(path, text) || !starts_with(text, "0x")) return false;
  number = 0;
  std::size_t digits = 0;
  for (std::size_t at = 2; at < text.size() && text[at] != '\n'; ++at, ++digits) {
    const char c = text[at];
    unsigned long digit = 0;
    if (c >= '0' && c <= '9') {
      digit = static_cast<unsigned long>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned long>(c - 'a') + 10;
    } else {
      return false;
    }
    number = number << 4 | digit;
  }
  return digits > 0 && digits <= 8;
}

// Adds the device where it is a GPU of NVIDIA's; false where that, or its architecture, is not
// known.
static bool add_pci_gpu(const system_interface& os, arena_string directory,
                        arena_vector<gpu>& gpus) {
  unsigned long vendor = 0;
  unsigned long device = 0;
  unsigned long kind = 0;
  if (!read_pci_number(os, directory + "/vendor", vendor)) return false;
  if (vendor != 0x10de) return true;
  if (!read_pci_number(os, directory + "/class", kind)) return false;
  // PCI class codes: VGA controller, 3D controller.  The others are sound, USB and NVLink switches.
  if (kind >> 8 != 0x0300 && kind >> 8 != 0x0302) return true;
  if (!read_pci_number(os, directory + "/device", device)) return false;
  gpu found;
  found.index = static_cast<int>(gpus.size());
  found.capability = architecture_of_pci(device);
  gpus.push_back(found);
  return found.capability.known();
}

// Device addresses in PCI order.  Those of NVIDIA's kernel driver where it is there; a GPU that
// another driver holds (vfio-pci, nouveau) is none that CUDA sees.
static bool list_pci_devices(const system_interface& os, arena_string& directory,
                             arena_vector<arena_string>& addresses) {
  arena_vector<arena_string> names;
  directory = "/sys/bus/pci/drivers/nvidia";
  if (os.list(directory, "", names) != open_result::opened) {
    directory = "/sys/bus/pci/devices";
    if (os.list(directory, "", names) != open_result::opened) return false;
  }
  for (arena_string& name : names.in_place()) {
    if (name.find(':') == arena_string::npos) continue;  // bind, module, new_id, ...
    std::size_t at = addresses.size();
    while (at > 0 && name < addresses[at - 1]) --at;
    addresses.insert(addresses.begin() + static_cast<std::ptrdiff_t>(at), name);
  }
  return true;
}

static bool is_number(std::string_view text) {
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
  }
  return !text.empty();
}

// Containers and Slurm leave out, or forbid, the nodes of the GPUs that a process may not use,
// while sysfs goes on listing them; so nodes and GPUs must be as many, and every node usable.
static bool has_every_node(const system_interface& os, std::size_t count) {
  arena_vector<arena_string> names;
  if (os.list("/dev", "nvidia", names) != open_result::opened) return false;
  std::size_t nodes = 0;
  for (const arena_string name : names) {
    if (!is_number(part_of(name, 6))) continue;
    if (!os.may_be_written("/dev/" + name)) return false;
    ++nodes;
  }
  return nodes == count;
}

bool has_gpu_node(const system_interface& os) {
  arena_vector<arena_string> names;
  os.list("/dev", "nvidia", names);
  return any_of(names, [&](const arena_string& name) {
    return is_number(part_of(name, 6)) && os.may_be_written("/dev/" + name);
  });
}

static bool has_mig_instances(const system_interface& os) {
  const arena_string directory = "/proc/driver/nvidia/capabilities";
  arena_vector<arena_string> names;
  if (os.list(directory, "gpu", names) != open_result::opened) return false;
  for (const arena_string name : names) {
    arena_vector<arena_string> instances;
    os.list(directory + "/" + name + "/mig", "gi", instances);
    if (!instances.empty()) return true;
  }
  return false;
}

// "GPU UUID: \t GPU-8932f937-..."; question marks where the driver has not asked the GPU yet.
static bool read_gpu_uuid(const system_interface& os, arena_string address, arena_string& uuid) {
  arena_string text;
  if (!os.read_text("/proc/driver/nvidia/gpus/" + address + "/information", text)) return false;
  const std::size_t line = text.find("GPU UUID:");
  const std::size_t begin = line == arena_string::npos ? line : text.find("GPU-", line + 9);
  if (begin == arena_string::npos) return false;
  uuid = text.substr(begin, text.find_first_of(" \t\n", begin) - begin);
  return uuid.find('?') == arena_string::npos;
}

bool list_pci_gpus(const system_interface& os, gpu_uuids uuids, arena_vector<gpu>& gpus) {
  arena_string directory;
  arena_vector<arena_string> addresses;
  if (!list_pci_devices(os, directory, addresses)) return false;
  for (const arena_string address : addresses) {
    const std::size_t before = gpus.size();
    if (!add_pci_gpu(os, directory + "/" + address, gpus)) return false;
    if (uuids == gpu_uuids::needed && gpus.size() > before &&
        !read_gpu_uuid(os, address, gpus.in_place().back().uuid)) {
      return false;
    }
  }
  // None at all: WSL2, Jetson and machines without a GPU look the same here.
  return !gpus.empty() && has_every_node(os, gpus.size()) && !has_mig_instances(os);
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Tue ..." and
// "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build ...": the
// first word of the line that is a number with points.
static version kernel_module_version(arena_string text) {
  const std::size_t begin = text.find("NVRM version:");
  if (begin == arena_string::npos) return {};
  const arena_string line = text.substr(begin, text.find('\n', begin) - begin);
  for (const arena_string word : split_path_list(line, " \t")) {
    if (word.find('.') == arena_string::npos) continue;
    const version v = parse_version(word);
    if (v.known()) return v;
  }
  return {};
}

// WSL2 has no kernel module of NVIDIA's: its GPUs are behind /dev/dxg, and Windows shows the
// driver's libraries in /usr/lib/wsl/lib (CUDA on WSL User Guide, "Getting Started").
static bool is_wsl(const system_interface& os) {
  return !os.real_path("/usr/lib/wsl/lib").empty() || !os.real_path("/dev/dxg").empty();
}

void read_kernel_driver(const system_interface& os, driver_facts& driver) {
  arena_string text;
  if (os.read_text("/proc/driver/nvidia/version", text)) {
    driver.kernel_module = kernel_module_version(text);
  } else {
    driver.wsl = is_wsl(os);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
