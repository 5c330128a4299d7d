// SPDX-License-Identifier: BSD-3-Clause
//
// The loader's own list of what a process has loaded.
#pragma once

#include "../../../core/system/system_interface.h"

namespace cudnn_checked::cli {

struct loader_name {
  unsigned long long address = 0;  ///< of its dynamic section
  arena_string path;               ///< as the loader opened it: links are not resolved
};

/// The list that debuggers read (glibc, <link.h>, struct r_debug); empty where the memory may not
/// be read, which takes the rights of a debugger, or where the process has no such list.  `proc` is
/// its folder in /proc; `headers`, `count` and `size` are AT_PHDR, AT_PHNUM and AT_PHENT.
arena_vector<loader_name> names_by_loader(const arena_string& proc, unsigned long long headers,
                                          unsigned long count, unsigned long size);

}  // namespace cudnn_checked::cli
