// SPDX-License-Identifier: BSD-3-Clause
#include "near_miss.h"

#include "../catalogue/catalogue.h"
#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A whole file of the role in a directory, by any of its names; empty where there is none.
static std::string whole_file_in(loader& search, const std::string& directory,
                                 const std::string& role) {
  for (const std::string& name : search.names_in(directory)) {
    const std::string path = join_path(directory, name);
    if (role_of_name(name) == role && search.file(path).state == file_state::whole) return path;
  }
  return {};
}

// Why the loader does not look where `path` lies, for one that asks by its RUNPATH or RPATH.
static std::string why_not_found(loader& search, const std::string& asker,
                                 const std::string& path) {
  const elf_file& contents = search.file(asker);
  if (!contents.has_runpath && !contents.has_rpath) return base_name(asker) + " has no RUNPATH";
  const std::string directory = directory_part(asker);
  if (directory != directory_part(path)) {
    if (directory_part(search.real_path(asker)) == directory_part(path)) {
      return base_name(asker) + " was opened through a link in " + directory +
             "; $ORIGIN is the link's directory";
    }
    return base_name(asker) + " is taken from " + directory + " and looks beside itself";
  }
  const bool old = contents.has_rpath && !contents.has_runpath;
  return base_name(asker) + " has the " + (old ? "RPATH " : "RUNPATH ") +
         (old ? contents.rpath : contents.runpath);
}

void find_near_misses(loader& search, observation& seen) {
  for (cudnn_file& file : seen.files) {
    if (file.state != file_state::missing || !file.near_miss.empty() || file.role == "shim") {
      continue;
    }
    for (const cudnn_file& other : seen.files) {
      if ((other.role != "shim" && other.role != "graph") || other.path.empty()) continue;
      for (const std::string& place : {other.path, other.real_path}) {
        if (!file.near_miss.empty() || place.empty()) continue;
        file.near_miss = whole_file_in(search, directory_part(place), file.role);
        if (file.near_miss.empty()) continue;
        // The file that asks is the one whose directories matter.
        const std::string& asker = file.asked_by.empty() ? other.path : file.asked_by;
        file.near_miss_reason = why_not_found(search, asker, file.near_miss);
      }
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
