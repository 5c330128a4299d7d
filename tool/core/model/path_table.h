// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../namespace.h"
#include "arena.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What all path tables have in common, whatever their values (path_table.cpp).
class path_index {
 public:
  path_index() = default;
  path_index(const path_index&) = delete;
  path_index& operator=(const path_index&) = delete;

 protected:
  struct entry {
    arena_string path;
    std::uint64_t hash = 0;
    entry* next = nullptr;
  };

  entry* find_entry(std::string_view path) const;
  void add_entry(std::string_view path, entry* added);

 private:
  entry*& first_of(std::uint64_t hash);
  void grow();

  arena_vector<entry*> buckets_;  ///< a power of two
  std::size_t count_ = 0;
};

/// What is known of each path.  Found in constant time, because LD_LIBRARY_PATH can have thousands
/// of entries; each value stays where it is for as long as the table.
template <class T>
class path_table : path_index {
 public:
  /// Null where nothing was added for that path.
  T* find(std::string_view path) const {
    entry* const found = find_entry(path);
    return found == nullptr ? nullptr : &static_cast<valued_entry*>(found)->value;
  }

  /// Adds a path that find() does not know.
  T& add(std::string_view path) {
    valued_entry* const added = new (take_memory(sizeof(valued_entry))) valued_entry;
    add_entry(path, added);
    return added->value;
  }

 private:
  struct valued_entry : entry {
    T value{};
  };
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
