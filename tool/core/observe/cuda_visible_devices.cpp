// SPDX-License-Identifier: BSD-3-Clause
#include "cuda_visible_devices.h"

#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// As strtol reads: blanks, a sign, digits, and whatever follows.  -1 where there is no number, or
// one that no machine has.
static int device_index(arena_string entry) {
  std::size_t at = entry.find_first_not_of(" \t");
  if (at == arena_string::npos) return -1;
  if (entry[at] == '+') ++at;
  int index = -1;
  for (; at < entry.size() && entry[at] >= '0' && entry[at] <= '9'; ++at) {
    if (index > 99999) return -1;
    index = (index < 0 ? 0 : index * 10) + (entry[at] - '0');
  }
  return index;
}

template <typename Value>
static bool holds(const arena_vector<Value>& values, const Value& wanted) {
  return contains(values, wanted);
}

static void parse_device_indices(const arena_vector<arena_string>& entries,
                                 visible_devices& wanted) {
  for (const arena_string entry : entries) {
    const int index = device_index(entry);
    if (index < 0) break;
    if (holds(wanted.indices, index)) {
      wanted.indices.clear();
      break;
    }
    wanted.indices.push_back(index);
  }
  wanted.mode =
      wanted.indices.empty() ? visible_devices::form::none : visible_devices::form::indices;
}

static void parse_device_names(const arena_vector<arena_string>& entries, std::string_view prefix,
                               visible_devices& wanted) {
  for (const arena_string entry : entries) {
    if (!starts_with(entry, prefix)) break;
    if (holds(wanted.names, entry)) {
      wanted.names.clear();
      wanted.mode = visible_devices::form::none;
      return;
    }
    wanted.names.push_back(entry);
  }
}

visible_devices parse_visible_devices(arena_string value) {
  visible_devices wanted;
  wanted.text = "CUDA_VISIBLE_DEVICES=" + value;
  const arena_vector<arena_string> entries = split_path_list(value, ",");
  if (starts_with(value, "GPU-")) {
    wanted.mode = visible_devices::form::uuids;
    parse_device_names(entries, "GPU-", wanted);
  } else if (starts_with(value, "MIG-")) {
    wanted.mode = visible_devices::form::mig;
    parse_device_names(entries, "MIG-", wanted);
  } else {
    parse_device_indices(entries, wanted);
  }
  return wanted;
}

visible_devices read_visible_devices(const system_interface& os) {
  arena_string value;
  visible_devices wanted;
  if (os.variable("CUDA_VISIBLE_DEVICES", value)) wanted = parse_visible_devices(value);
  wanted.pci_order = os.variable("CUDA_DEVICE_ORDER", value) && value == "PCI_BUS_ID";
  return wanted;
}

// The one GPU whose UUID begins so; the number of GPUs where there is none or several.
static std::size_t gpu_of_uuid(arena_string beginning, const arena_vector<gpu>& machine) {
  std::size_t found = machine.size();
  for (std::size_t i = 0; i < machine.size(); ++i) {
    if (!starts_with(machine[i].uuid, beginning)) continue;
    if (found != machine.size()) return machine.size();
    found = i;
  }
  return found;
}

arena_vector<std::size_t> choose_gpus(const visible_devices& wanted,
                                      const arena_vector<gpu>& machine) {
  arena_vector<std::size_t> chosen;
  for (const int index : wanted.indices) {
    const auto position = static_cast<std::size_t>(index);
    if (position >= machine.size()) break;
    chosen.push_back(position);
  }
  for (const arena_string name : wanted.names) {
    const std::size_t position = gpu_of_uuid(name, machine);
    if (position == machine.size()) break;
    if (holds(chosen, position)) return {};
    chosen.push_back(position);
  }
  return chosen;
}

static bool all_alike(const arena_vector<gpu>& gpus) {
  return all_of(gpus, [&](const gpu& g) { return g.capability == gpus.front().capability; });
}

// An instance has the architecture of the GPU that it is cut from; which one that is does not
// matter where all are alike.
static void keep_mig_instances(const visible_devices& wanted, const arena_vector<gpu>& machine,
                               gpu_facts& observed) {
  for (const arena_string name : wanted.names) {
    gpu instance = machine.front();
    instance.index = static_cast<int>(observed.gpus.size());
    instance.uuid = name;
    observed.gpus.push_back(instance);
  }
  observed.visible = answer::yes;
}

void keep_visible(const visible_devices& wanted, const arena_vector<gpu>& machine,
                  gpu_facts& observed) {
  observed.gpus.clear();
  observed.visible = answer::no;
  if (wanted.mode == visible_devices::form::none) observed.hidden_by = wanted.text;
  if (machine.empty() || wanted.mode == visible_devices::form::none) return;
  if (wanted.mode == visible_devices::form::all) {
    observed.gpus = machine;
    observed.visible = answer::yes;
    return;
  }
  const bool order_known = wanted.pci_order || all_alike(machine);
  if (wanted.mode == visible_devices::form::mig) {
    observed.visible = answer::unknown;
    if (all_alike(machine)) keep_mig_instances(wanted, machine, observed);
    return;
  }
  const arena_vector<std::size_t> chosen = choose_gpus(wanted, machine);
  if (wanted.mode == visible_devices::form::indices && !order_known && !chosen.empty() &&
      chosen.size() != machine.size()) {
    observed.visible = answer::unknown;
    return;
  }
  for (const std::size_t position : chosen) {
    gpu visible = machine[position];
    visible.index = static_cast<int>(observed.gpus.size());
    observed.gpus.push_back(visible);
  }
  if (observed.gpus.empty()) {
    observed.hidden_by = wanted.text;
  } else {
    observed.visible = answer::yes;
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
