// SPDX-License-Identifier: BSD-3-Clause
#include "cudnn_users.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "environment_users.h"

namespace cudnn_checked::cli {

static constexpr int users_most_names = 100000;
static constexpr int users_most_depth = 32;

bool may_use_cudnn(const arena_string& path, const library_file& contents) {
  const arena_string name = base_name(path);
  if (is_cudnn_path(path) || path.find("/nvidia/") != arena_string::npos || is_cublas(name)) {
    return false;
  }
  return sign_of(contents) != sign_of_cudnn::none;
}

// ".so" alone, or with numbers behind it.
static bool may_be_library(const char* name) {
  const char* const end = std::strstr(name, ".so");
  return end != nullptr ? end[3] == '\0' || end[3] == '.' : is_library_name(name);
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
  if (depth >= users_most_depth) return;
  arena_vector<arena_string> below;
  arena_vector<arena_string> libraries;
  std::error_code failed;
  std::filesystem::directory_iterator entry(std::filesystem::u8path(std::string(directory)),
                                            failed);
  for (; !failed && entry != end(entry); entry.increment(failed)) {
    if (++names > users_most_names) break;
    const std::string name = entry->path().filename().u8string();
    if (name[0] == '.') continue;
    const arena_string path = join_path(directory, name);
    // Mostly the directory says what an entry is.
    std::error_code absent;
    const bool is_directory = !entry->is_symlink(absent) && entry->is_directory(absent);
    if (is_directory) below.push_back(path);
    if (!is_directory && may_be_library(name.c_str())) libraries.push_back(path);
  }
  entry = {};
  sort(libraries);
  sort(below);
  for (const arena_string& path : libraries) look_at(path);
  for (const arena_string& path : below) walk(path, depth + 1);
}

arena_vector<arena_string> cudnn_users_in(const system_interface& os,
                                          const arena_vector<arena_string>& directories) {
  users_walk walk{os, {}, 0};
  for (const arena_string& path : directories) {
    std::error_code absent;
    const auto status = std::filesystem::status(std::filesystem::u8path(std::string(path)), absent);
    if (!exists(status)) continue;
    if (is_directory(status)) {
      walk.walk(path, 0);
    } else if (may_be_library(base_name(path).c_str())) {
      walk.look_at(path);
    }
  }
  return walk.found;
}

}  // namespace cudnn_checked::cli
