// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "loader.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Where the loader of a platform looks for a name, and in which order.
class loader_rules {
 public:
  /// Changes a variable, as for a new process; empty: unset.
  virtual void change(arena_string variable, arena_string value) = 0;
  /// Looks at what is mapped, and at what decides by rules that are not known here.
  virtual void look_at_process() = 0;
  /// Adds what only the loader knows of a file that was read.
  virtual void complete(library_file& file, arena_string path) const = 0;
  /// Keeps what counts of the names in a directory, which begin with one of `prefixes`.
  virtual void sort_names(loader::listing& l, const arena_vector<arena_string>& names) const = 0;
  /// Does a requested name stand for an object that is mapped already?
  virtual bool is_called(const mapped_object& object, arena_string name) const = 0;
  virtual loader_hit find(arena_string name, const arena_vector<arena_string>& askers,
                          loader::view mode) = 0;
  virtual arena_vector<preload> preloads() const = 0;
  /// Why a file that would serve `asker` is not found where it lies.
  virtual passed_file passed_over_by(arena_string asker, arena_string path) = 0;

  /// How names begin that are looked for in a listing: "libcu|glibc-hwcaps".
  arena_string prefixes;
  /// As observation::other_rules.
  arena_string other_rules;
  /// The variables that add directories and libraries; empty where unset or ignored.
  arena_string directories;
  arena_string preloaded;

 protected:
  ~loader_rules() = default;
};

/// The rules of this platform, in the arena.
loader_rules* rules_of_platform(loader& of);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
