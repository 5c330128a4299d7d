// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "../namespace.h"
#include "arena.h"
#include "paths.h"
#include "string.h"
#include "vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What is known of each path.  Found in constant time, because LD_LIBRARY_PATH can have thousands
/// of entries; each value stays where it is for as long as the table.
template <class T>
class path_table {
 public:
  path_table() = default;
  path_table(const path_table&) = delete;
  path_table& operator=(const path_table&) = delete;

  /// Null where nothing was added for that path.
  T* find(std::string_view path) const {
    if (buckets_.empty()) return nullptr;
    const std::uint64_t hash = hash_of_path(path);
    for (entry* e = buckets_[bucket_of(hash)]; e != nullptr; e = e->next) {
      if (e->hash == hash && e->path == path) return &e->value;
    }
    return nullptr;
  }

  /// Adds a path that find() does not know.
  T& add(std::string_view path) {
    if (count_ == buckets_.size()) grow();
    entry* const e = new (take_memory(sizeof(entry))) entry;
    e->path = string(path);
    e->hash = hash_of_path(path);
    link(e);
    ++count_;
    return e->value;
  }

 private:
  struct entry {
    string path;
    std::uint64_t hash = 0;
    entry* next = nullptr;
    T value{};
  };

  std::size_t bucket_of(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash) & (buckets_.size() - 1);
  }

  void link(entry* e) {
    entry*& first = buckets_[bucket_of(e->hash)];
    e->next = first;
    first = e;
  }

  void grow() {
    vector<entry*> before(buckets_.empty() ? 64 : buckets_.size() * 2);
    std::swap(before, buckets_);
    for (entry* e : before) {
      while (e != nullptr) {
        entry* const next = e->next;
        link(e);
        e = next;
      }
    }
  }

  vector<entry*> buckets_;  ///< a power of two
  std::size_t count_ = 0;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
