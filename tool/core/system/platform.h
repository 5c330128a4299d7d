// SPDX-License-Identifier: BSD-3-Clause
//
// What a platform knows about NVIDIA's kernel driver, its GPUs and its own loader: the folder of
// each platform (linux/) defines these functions once.  They ask `os`, so a fake serves as well.
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../namespace.h"
#include "system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Sets kernel_module to the version of NVIDIA's kernel driver, or wsl where Windows has it.
void read_kernel_driver(const system_interface& os, driver_facts& driver);

enum class gpu_uuids : unsigned char { needed, not_needed };

/// Lists the GPUs that CUDA can use, in PCI order, by device id.  False wherever that could be
/// wrong: an id that the table does not have, no GPU at all, a device node that is missing or not
/// usable, MIG.  UUIDs are read only if asked for.
bool list_pci_gpus(const system_interface& os, gpu_uuids uuids, arena_vector<gpu>& gpus);

/// Was this process given a GPU: is there a device node that it may open?  Needs no driver that
/// answers.  False where GPUs have no nodes.
bool has_gpu_node(const system_interface& os);

/// Is a GPU of NVIDIA's on the PCI bus, whether it can be used or not?
bool has_gpu_hardware(const system_interface& os);

/// Does the path begin at a root?
bool is_absolute(arena_string path);

/// A text with paths that another program wrote: on Windows with forward slashes.
arena_string plain_slashes(arena_string text);

/// A path that comes from outside, as paths are written here.  On Windows: "C:/x" for "c:\x\",
/// "\\?\C:\x" and the same in quotes, "//server/share" for "\\?\UNC\server\share".
arena_string plain_spelling(arena_string path);

/// The same, and absolute: a path that somebody typed.
arena_string absolute_path(const system_interface& os, arena_string typed);

/// The path that a variable of the environment has, empty where it is not set.  On Windows it is
/// absolute.
arena_string path_in_variable(const system_interface& os, const char* name);

/// The program whose search leads to that install's files: on Linux any, whose search this library
/// answers; on Windows one that lies beside it.
arena_string program_of_install(arena_string own_program, arena_string library);

/// Is that program interpreter a loader whose directories and cache are known?
bool is_known_interpreter(arena_string interpreter);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
