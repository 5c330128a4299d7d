// SPDX-License-Identifier: BSD-3-Clause
#include "../finished_program.h"

#include <filesystem>

#include "../../../core/judge/advice/advice.h"
#include "../../../core/library/library_file.h"
#include "../../../core/model/paths.h"

namespace cudnn_checked::cli {

std::string command_for(const system_interface& os, const bundles::bundle& chosen,
                        const std::string& directory, const std::string& app) {
  const library_file program = read_library(os, app, 0);
  const std::filesystem::path origin = std::string(directory_part(os.real_path(app)));
  std::string path =
      "$ORIGIN/" + std::filesystem::path(directory).lexically_relative(origin).string();
  for (const arena_string& entries : {program.rpath, program.runpath}) {
    if (!entries.empty()) path += ":" + std::string(entries);
  }
  // Not std::quoted, which writes for a stream.
  const std::string name = cudnn_checked::quoted(app);
  std::string added;
  for (const bundles::bundled_file& file : chosen.files) {
    if (file.is_needed && !contains(program.needed, file.name)) {
      added += " --add-needed " + std::string(file.name);
    }
  }
  // One after the other: in one call patchelf 0.14.3 writes a wrong run path.
  return (added.empty() ? "" : "patchelf" + added + " " + name + " && ") +
         "patchelf --force-rpath --set-rpath " + std::string(cudnn_checked::quoted(path)) + " " +
         name;
}

}  // namespace cudnn_checked::cli
