// SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs of the simulated machine: of the environment variable SIMULATED_GPUS ("sm_75,sm_86";
// empty: none), otherwise those that the driver was built with.
#pragma once

#include <string>
#include <vector>

namespace simulated {

struct gpu {
  int index = 0;  ///< on this machine, whatever is visible
  int major = 0;
  int minor = 0;
  std::string name;
  unsigned char uuid[16] = {};

  std::string uuid_text() const;  ///< "GPU-53494d55-..."
  std::string bus_id() const;     ///< "0000:01:00.0"
};

/// Those that there are unless SIMULATED_GPUS says others.
extern const char* const default_gpus;

std::vector<gpu> all_gpus();

/// Those that CUDA_VISIBLE_DEVICES leaves (CUDA C++ Programming Guide, "CUDA Environment
/// Variables"): indices or UUIDs or their beginnings, in that order, up to the first that names no
/// GPU; none at all where one is named twice.
std::vector<gpu> visible_gpus();

/// Copies a text with its end; false where there is no room for it.
bool copy_text(const std::string& text, char* target, unsigned length);

}  // namespace simulated
