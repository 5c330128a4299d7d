// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/system/own_system.h"
#include "../../core/windows/wide_text.h"
#include "../../core/windows/windows_header.h"

namespace cudnn_checked::probe {

// Windows has no search over all that is loaded.
any_function find_function(const char* name) {
  for (const mapped_object& object : own_system().mapped_objects()) {
    if (!starts_with(object.soname, cudnn_name_prefix())) continue;
    const HMODULE module = GetModuleHandleW(path_to_wide(object.path).begin());
    const FARPROC found = module != nullptr ? GetProcAddress(module, name) : nullptr;
    if (found != nullptr) return reinterpret_cast<any_function>(found);
  }
  return nullptr;
}

void set_where_unset(const char* name, const char* value) {
  if (GetEnvironmentVariableA(name, nullptr, 0) == 0) (void)SetEnvironmentVariableA(name, value);
}

// Nobody closes a dialog box.
const system_interface& system_of_probe(char**) {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  return own_system();
}

}  // namespace cudnn_checked::probe
