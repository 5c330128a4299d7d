// SPDX-License-Identifier: BSD-3-Clause
#include "dll_folders.h"

#include "../linux/linux_system.h"
#include "../model/paths.h"
#include "../system/platform.h"
#include "../windows/dll_rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* const variable_of_search = "the directories of DLLs";

// It is a function of Windows.
arena_string directory_of_process() { return {}; }

arena_string program_of_install(arena_string own_program, arena_string library) {
  return own_program.empty() ? library : own_program;
}

// No DLL is loaded into a program of Linux.
arena_vector<mapped_object> linux_system::mapped_objects() const { return {}; }

bool dll_folders::variable(const char* name, arena_string& value) const {
  if (arena_string(name) != variable_of_search) return system_view::variable(name, value);
  value = directories_;
  return true;
}

/// The path of the file that has the name in any case.
arena_string dll_folders::spelled(const arena_string& path) const {
  if (!system_view::real_path(path).empty()) return path;
  const arena_string directory = directory_part(path);
  const arena_string wanted = lower_case(base_name(path));
  for (const arena_string& name : names_in(*this, directory)) {
    if (lower_case(name) == wanted) return join_path(directory, name);
  }
  return path;
}

open_result dll_folders::open(arena_string path, byte_source** source) const {
  return system_view::open(spelled(path), source);
}

arena_string dll_folders::real_path(arena_string path) const {
  return system_view::real_path(spelled(path));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
