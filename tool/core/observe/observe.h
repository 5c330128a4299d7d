// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/arena_string.h"
#include "../model/observation.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

class loader;

// One `loader` serves all that is looked at together: it remembers what it has read.

/// Finds the files of cuDNN that are mapped, or that the loader would take: the shim and every
/// sub-library that the shim, the graph library or a NEEDED entry asks for.  `cudnn_major` is the
/// one that the program was built for; a mapped shim of another major overrides it.  Fills
/// program_path, ld_library_path, cudnn_major, linked, files and orders.  Nothing is loaded.
void observe_taken_files(loader& search, int cudnn_major, observation& observed);

/// Then what explains or repairs it: the near misses of files that are missing, and alternatives.
void observe_other_files(loader& search, observation& observed);

inline void observe_files(loader& search, int cudnn_major, observation& observed) {
  observe_taken_files(search, cudnn_major, observed);
  observe_other_files(search, observed);
}

/// Fills package of observed.files from the records of wheels, conda and dpkg.  It reads files of
/// megabytes, so it is not read at start-up: for the command line and the probe.
void observe_packages(const system_interface& os, observation& observed);

/// Adds the file of that path where a package lists it and it is gone.
void observe_listed(const system_interface& os, const arena_string& path,
                    arena_vector<absent_file>& absent);

/// The same from the RECORDs of cuDNN's own wheels alone, which say how long each file is.
void observe_wheel_records(const system_interface& os, observation& observed);

/// The environments that those files and directories, which end in a slash, lie in.
arena_vector<python_environment> python_environments_of(const system_interface& os,
                                                        const arena_vector<arena_string>& paths);

/// Fills observed.environments for the files, dependencies and places that are in the observation.
void observe_python_environments(const system_interface& os, observation& observed);

/// Fills observed.dependencies and observed.cudart_majors for observed.files.  Nothing is loaded.
void observe_dependencies(loader& search, observation& observed);

/// Fills observed.missing_versions for observed.files and observed.dependencies, whose tables of
/// versions are read.
void observe_needed_versions(loader& search, observation& observed);

/// Fills observed.called and observed.calls_graph: what the program, and what in its process NEEDs
/// cuDNN, calls of it.
void observe_called_functions(loader& search, observation& observed);

/// Fills observed.driver from the files that the loader would take and from what the platform says.
void observe_driver(loader& search, observation& observed);

/// Fills observed.devices from the PCI devices of the platform and a table of device ids, without
/// any library of NVIDIA's (0.1 to 0.3 ms).  Leaves devices.visible unknown wherever that could be
/// wrong: an id that the table does not have, containers without a device node, WSL2, Jetson, MIG.
void observe_gpus_on_pci(const system_interface& os, observation& observed);

/// Fills observed.devices through NVML (about 15 ms), CUDA_VISIBLE_DEVICES applied.
void observe_gpus_with_nvml(const system_interface& os, observation& observed);

/// Fills observed.code from the fatbinary of a finished program or library, which is read, not run.
void observe_program_code(const system_interface& os, arena_string path, observation& observed);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
