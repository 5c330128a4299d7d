// SPDX-License-Identifier: BSD-3-Clause
#include "cudnn_users.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "environment_users.h"

namespace cudnn_checked::cli {

static constexpr int users_most_names = 100000;
static constexpr int users_most_depth = 32;

bool may_use_cudnn(const arena_string& path, const library_file& contents) {
  const arena_string name = base_name(path);
  if (is_cudnn_path(path) || path.find("/nvidia/") != arena_string::npos ||
      starts_with(name, "libcublas")) {
    return false;
  }
  return sign_of(contents) != sign_of_cudnn::none;
}

// ".so" alone, or with numbers behind it.
static bool is_library_name(const char* name) {
  const char* const end = std::strstr(name, ".so");
  return end != nullptr && (end[3] == '\0' || end[3] == '.');
}

namespace {

struct users_walk {
  const system_interface& os;
  arena_vector<arena_string> found;
  int names = 0;

  void look_at(const arena_string& path);
  void walk(const arena_string& directory, int depth);
};

}  // namespace

void users_walk::look_at(const arena_string& path) {
  if (may_use_cudnn(path, read_library(os, path, 0))) found.push_back(path);
}

void users_walk::walk(const arena_string& directory, int depth) {
  DIR* const opened = depth < users_most_depth ? ::opendir(directory.c_str()) : nullptr;
  if (opened == nullptr) return;
  arena_vector<arena_string> below;
  arena_vector<arena_string> libraries;
  while (const dirent* entry = ::readdir(opened)) {
    if (++names > users_most_names) break;
    if (entry->d_name[0] == '.') continue;
    const arena_string path = join_path(directory, entry->d_name);
    struct stat status;
    // Some file systems do not say what an entry is.
    const bool is_directory =
        entry->d_type == DT_DIR || (entry->d_type == DT_UNKNOWN &&
                                    ::lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode));
    if (is_directory) below.push_back(path);
    if (!is_directory && is_library_name(entry->d_name)) libraries.push_back(path);
  }
  ::closedir(opened);
  sort(libraries);
  sort(below);
  for (const arena_string& path : libraries) look_at(path);
  for (const arena_string& path : below) walk(path, depth + 1);
}

arena_vector<arena_string> cudnn_users_in(const system_interface& os,
                                          const arena_vector<arena_string>& directories) {
  users_walk walk{os, {}, 0};
  for (const arena_string& path : directories) {
    struct stat status;
    if (::stat(path.c_str(), &status) != 0) continue;
    if (S_ISDIR(status.st_mode)) {
      walk.walk(path, 0);
    } else if (is_library_name(base_name(path).c_str())) {
      walk.look_at(path);
    }
  }
  return walk.found;
}

}  // namespace cudnn_checked::cli
