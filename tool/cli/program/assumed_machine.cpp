// SPDX-License-Identifier: BSD-3-Clause
#include "assumed_machine.h"

#include <string_view>

#include "../../core/model/library_spelling.h"
#include "../../core/model/machine.h"
#include "../../core/model/paths.h"
#include "../../repair/faults.h"

namespace cudnn_checked::cli {

static bool read_item(const arena_string& item, assumed_machine& result) {
  constexpr std::string_view driver = "driver=";
  if (starts_with(item, driver)) {
    const arena_string number = item.substr(driver.size());
    const version v = parse_version(number);
    // The name of a driver's file has at least two numbers.
    result.driver = number.find('.') == arena_string::npos ? number + ".0" : number;
    return v.major >= 100 && number.find_first_not_of("0123456789.") == arena_string::npos;
  }
  gpu device;
  device.index = static_cast<int>(result.gpus.size());
  device.name = "GPU of --as";
  device.uuid = "--as-" + to_string(device.index);
  if (!starts_with(item, "sm_")) return false;
  device.capability = parse_architecture(item);
  result.gpus.push_back(device);
  return device.capability.known();
}

bool read_assumed_machine(const std::string& text, assumed_machine& result, std::string& error) {
  result.given = true;
  result.text = text;
  for (const arena_string& item : split_path_list(result.text, ",")) {
    if (read_item(item, result)) continue;
    error = "verify: --as " + text + ": not an architecture or a driver: " +
            (item.empty() ? std::string("nothing") : std::string(item)) +
            "; for example --as sm_86,driver=580.65.06";
    return false;
  }
  return true;
}

bool assumed_view::variable(const char* name, arena_string& value) const {
  const std::string_view asked = name;
  // Which GPUs a process of this machine may use does not count there.
  const bool is_of_gpus = asked == "CUDA_VISIBLE_DEVICES" || asked == "CUDA_DEVICE_ORDER";
  return !(machine_.given && is_of_gpus) && system_view::variable(name, value);
}

static bool is_of_gpus(const arena_string& path) {
  return starts_with(path, "/proc/driver/nvidia") || starts_with(path, "/sys/bus/pci") ||
         starts_with(path, "/proc/sys/kernel/osrelease") || path == "/proc/version" ||
         path == "/dev";
}

bool assumed_view::read_text(arena_string path, arena_string& text) const {
  return !(machine_.given && is_of_gpus(path)) && system_view::read_text(path, text);
}

open_result assumed_view::list(arena_string path, const char* prefixes,
                               arena_vector<arena_string>& names) const {
  if (machine_.given && is_of_gpus(path)) return open_result::missing;
  return system_view::list(path, prefixes, names);
}

static constexpr const char* libcuda_path = "/--as/libcuda.so.";

arena_string assumed_view::real_path(arena_string path) const {
  return starts_with(path, libcuda_path) ? path : system_view::real_path(path);
}

// The CPU of that machine is not known.
arena_string assumed_view::loader_platform(int machine) const {
  const bool is_other = machine_.given && !machine_.text.empty() && machine != machine_aarch64;
  return is_other ? arena_string() : system_view::loader_platform(machine);
}

int assumed_view::cuda_driver_version() const {
  return machine_.given ? 0 : system_view::cuda_driver_version();
}

bool assumed_view::nvml_gpus(arena_vector<gpu>& gpus) const {
  if (!machine_.given) return system_view::nvml_gpus(gpus);
  gpus = machine_.gpus;
  return !gpus.empty();
}

mapped_object assumed_view::libcuda() const {
  mapped_object object;
  object.path = libcuda_path + (machine_.driver.empty() ? arena_string("1") : machine_.driver);
  object.soname = driver_library_name();
  return object;
}

arena_vector<finding> without_gpu_findings(const arena_vector<finding>& findings) {
  return filtered(findings, [](const finding& f) {
    return !repairs::is_of_machine(f.id) && row_of(f.id).rests_on != basis::gpus;
  });
}

void add_driver_libraries(program_start& start) {
  arena_vector<start_library> rest;
  for (const start_library& library : start.libraries) {
    // One that is here, be it a toolkit's stub, is not the one there.
    if (!is_driver_library(library.name)) rest.push_back(library);
  }
  start.libraries = rest;
}

}  // namespace cudnn_checked::cli
