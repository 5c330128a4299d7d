// SPDX-License-Identifier: BSD-3-Clause
//
// CUDA_VISIBLE_DEVICES: CUDA C++ Programming Guide, "CUDA Environment Variables".
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What the variable asks for, before it is known which GPUs there are.
struct visible_devices {
  enum class form : unsigned char {
    all,      ///< not set
    none,     ///< set, and it names nothing: empty, "-1", "NoDevFiles", a device twice
    indices,  ///< `indices` of CUDA's own order
    uuids,    ///< `names`: beginnings of GPU UUIDs
    mig       ///< `names` of MIG instances
  };
  form mode = form::all;
  arena_vector<int> indices;
  arena_vector<arena_string> names;
  arena_string text;       ///< "CUDA_VISIBLE_DEVICES=2,1"
  bool pci_order = false;  ///< CUDA_DEVICE_ORDER=PCI_BUS_ID: indices count in PCI order
};

/// Reads a value.  Its first entry decides the form; an entry that is not of that form ends the
/// list, and one that is named twice empties it.  A number may have more behind it ("1gpu"), as
/// strtol reads.
visible_devices parse_visible_devices(arena_string value);

/// The same for this process, CUDA_DEVICE_ORDER included.
visible_devices read_visible_devices(const system_interface& os);

/// The positions in `machine`, in CUDA's order, that are asked for by index or UUID.  An entry that
/// names no GPU, or more than one, ends the list.
arena_vector<std::size_t> choose_gpus(const visible_devices& wanted,
                                      const arena_vector<gpu>& machine);

/// Fills visible, hidden_by and gpus of `observed` from the GPUs of this machine in PCI order.
/// `unknown` where the order of CUDA's indices could matter and is not known (CUDA sorts by speed
/// unless CUDA_DEVICE_ORDER says PCI_BUS_ID), or where GPUs of several kinds could hold a MIG
/// instance.
void keep_visible(const visible_devices& wanted, const arena_vector<gpu>& machine,
                  gpu_facts& observed);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
