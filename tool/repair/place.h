// SPDX-License-Identifier: BSD-3-Clause
//
// What keeps this process from writing to a place of this machine, as far as that can be known
// without writing, and what else of installing packages each platform has for itself.  The folder
// of each platform (linux/, windows/) defines these functions.
#pragma once

#include <cstdint>
#include <string>

#include "../core/model/arena_string.h"
#include "../core/model/arena_vector.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

enum class obstacle {
  none,      ///< that is known
  fixed,     ///< its attributes forbid each change: chattr(1), "i" and "a"
  no_right,  ///< a folder to which this user may not write
  full,      ///< its file system has no room
  mounted,   ///< something is mounted there
  owned      ///< only its owner may remove it
};

/// To writing to a file or a folder.
obstacle obstacle_to_writing(const arena_string& place);

/// To removing or renaming it, as what is replaced is.
obstacle obstacle_to_replacing(const arena_string& place);

/// The bytes that this user can still write to its file system.  False where it is not known.
bool read_free_space(const arena_string& place, std::uint64_t& bytes);

/// "linux" of "sys_platform" (PEP 508, "Environment Markers"); empty where it rests on the Python
/// or on extras.
std::string value_of_marker(const std::string& variable);

/// Files in which pip and uv look for their settings: of this user, then of all.  `folder` has what
/// pip asks for first: the prefix of an environment.
arena_vector<arena_string> settings_of_pip(const system_interface& os, const arena_string& folder);
arena_vector<arena_string> settings_of_uv(const system_interface& os);

/// What PIP_CONFIG_FILE names where there shall be no settings: "/dev/null".
const char* no_file();

/// Has the loader of this platform a cache of file names, ld.so.cache?
bool has_loader_cache(const system_interface& os);

/// Where temporary files come.
arena_string temporary_folder(const system_interface& os);

}  // namespace cudnn_checked::repairs
