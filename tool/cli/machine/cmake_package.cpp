// SPDX-License-Identifier: BSD-3-Clause
#include "cmake_package.h"

#include "../../core/model/paths.h"
#include "../system/own_process.h"

namespace cudnn_checked::cli {

std::string cmake_directory(const system_interface& os, const std::string& option,
                            std::string& error) {
  const arena_string program = os.real_path(own_program());
  const arena_string above = directory_part(directory_part(program));
  // bin/cudnn-checked below the prefix; vcpkg has tools/PORT/cudnn-checked.
  std::string looked_in;
  for (const arena_string& prefix : {above, directory_part(above)}) {
    const arena_string directory = join_path(prefix, "share/CuDNNChecked/cmake");
    if (!os.real_path(join_path(directory, "CuDNNCheckedConfig.cmake")).empty()) return directory;
    looked_in += (looked_in.empty() ? "" : ", ") + std::string(directory);
  }
  error = option + ": no CMake package is installed with " + std::string(program) +
          ": there is no " + looked_in;
  return {};
}

}  // namespace cudnn_checked::cli
