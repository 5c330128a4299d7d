// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// What dlltool or lib makes an import library from, with the exit status of `import-library`.
struct module_definition {
  enum result : int { written = 0, unreadable = 1, another_machine = 4 };

  result status = written;
  arena_string text;
};

/// The definition of the DLL, with the names of C that it exports.  `unreadable`: its headers or
/// its table of exports are damaged.  `machine` is the one that is built for; where it is not
/// known, a DLL for any machine is taken.
module_definition definition_of(const system_interface& os, const arena_string& dll,
                                const arena_string& machine);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
