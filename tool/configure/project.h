// SPDX-License-Identifier: BSD-3-Clause
//
// The project that is configured, as the find module describes it, and what to type to configure it
// again.
#pragma once

#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// What gives a variable of CMake its value.
enum class variable_holder : unsigned char {
  none,
  cache,
  project_file  ///< which overrides the cache
};

struct held_variable {
  arena_string name;
  variable_holder by = variable_holder::none;
  arena_string value;
};

/// Of `cmake`, `build`, `source`, `toolchain` and each `held` of a request (docs/configure.md).
/// Each line is a command that a shell runs as it stands, from any directory; or it says in words
/// what to do, where a file of the project sets the variable, or a byte cannot be typed.
class project {
 public:
  project(const request& asked, const system_interface& os) : asked_(asked), os_(os) {}

  held_variable held(const arena_string& name) const;

  /// Configures again with these arguments.
  arena_string configured(const arena_vector<arena_string>& arguments) const;
  /// Configures again with this value of the variable.
  arena_string with(const held_variable& what, const arena_string& value) const;
  arena_string with(const char* name, const arena_string& value) const {
    return with(held(name), value);
  }
  /// Configures again without the variable, in the cache and in the environment.
  arena_string without(const arena_string& name) const;
  /// Removes a file or directory of the build tree, which is made again.
  arena_string removed(const arena_string& path) const;
  /// In words, because only the person knows the directory above `files`.
  arena_string named(const char* name, const arena_string& files) const;

  /// A line of the find module: as it is, or "@set NAME VALUE", "@unset NAME", "@remove PATH",
  /// "@configure ARGUMENT...".
  arena_string line(const arena_string& text) const;
  /// That of each value of the key; an empty one is none.
  fix_lines lines(const char* key) const;

 private:
  arena_string command_of(const arena_vector<arena_string>& words) const;
  arena_string file_that_sets(const held_variable& what) const;
  arena_string presets_that_set(const held_variable& what) const;
  bool is_environment_variable(const arena_string& name) const;

  const request& asked_;
  const system_interface& os_;
};

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
