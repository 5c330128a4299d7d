// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "../model/record.h"

namespace cudnn_checked::sweep {

/// What a machine has for workers.
struct resources {
  int processors = 1;              ///< that this process may use
  std::uint64_t memory = 0;        ///< bytes of main memory that are free; 0: not known
  std::uint64_t gpu_memory = 0;    ///< bytes of the GPU that are free; 0: not known
  std::uint64_t worker_bytes = 0;  ///< request.worker_bytes
};

/// Affinity, the limits of the cgroup, /proc/meminfo.
resources resources_of_this_machine();

/// One worker a processor, at most 32.  Together they get at most half of the free memory of the
/// GPU and of the machine: a context takes about 0.5 GB of the GPU, beside what the worker
/// allocates, and a process about 0.75 GB of main memory.  At least one.
int count_of_workers(const resources& machine);

}  // namespace cudnn_checked::sweep
