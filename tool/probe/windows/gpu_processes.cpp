// SPDX-License-Identifier: BSD-3-Clause
//
// All GPUs compute in the one process, one after the other.
#include "../gpu_processes.h"

namespace cudnn_checked::probe {

gpu_processes::gpu_processes(const work&) {}

gpu_processes::~gpu_processes() = default;

bool gpu_processes::start(const gpu&) { return false; }

void gpu_processes::finish(stage_listener&, observation&) {}

}  // namespace cudnn_checked::probe
