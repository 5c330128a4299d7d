// SPDX-License-Identifier: BSD-3-Clause
#include "near_miss.h"

#include "../catalogue/catalogue.h"
#include "../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// A whole file of the role in a directory, by any of its names; empty where there is none.
static string whole_file_in(loader& search, const string& directory, const string& role) {
  for (const string& name : search.names_in(directory)) {
    const string path = join_path(directory, name);
    if (role_of_name(name) == role && search.file(path).state == file_state::whole) return path;
  }
  return {};
}

// Why the loader does not look where `path` lies, for one that asks by its RUNPATH or RPATH.
static string why_not_found(loader& search, const string& asker, const string& path) {
  const elf_file& contents = search.file(asker);
  if (!contents.has_runpath && !contents.has_rpath) return base_name(asker) + " has no RUNPATH";
  const string directory = directory_part(asker);
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

void find_near_misses(loader& search, observation& observed) {
  for (cudnn_file& file : observed.files) {
    if (file.state != file_state::missing || !file.near_miss.empty() || file.role == "shim") {
      continue;
    }
    for (const cudnn_file& other : observed.files) {
      if ((other.role != "shim" && other.role != "graph") || other.path.empty()) continue;
      for (const string& place : {other.path, other.real_path}) {
        if (!file.near_miss.empty() || place.empty()) continue;
        file.near_miss = whole_file_in(search, directory_part(place), file.role);
        if (file.near_miss.empty()) continue;
        // The file that asks is the one whose directories matter.
        const string& asker = file.asked_by.empty() ? other.path : file.asked_by;
        file.near_miss_reason = why_not_found(search, asker, file.near_miss);
      }
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
