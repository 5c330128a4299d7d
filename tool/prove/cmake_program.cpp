// SPDX-License-Identifier: BSD-3-Clause
#include "cmake_program.h"

#include "../core/model/paths.h"
#include "../core/observe/pip_of_system.h"

namespace cudnn_checked::prove {

arena_string cmake_to_type(const system_interface& os, const arena_string& running) {
  const arena_string found = program_on_path(os, "cmake");
  const arena_string real = os.real_path(running);
  if (found.empty() || real.empty()) return running;
  // The one of PyPI is started by a script.
  const arena_string lib = directory_part(directory_part(found)) + "/lib";
  const bool of_python =
      starts_with(real, lib) && real.find("-packages/cmake/") != arena_string::npos;
  return of_python || os.real_path(found) == real ? "cmake" : running;
}

}  // namespace cudnn_checked::prove
