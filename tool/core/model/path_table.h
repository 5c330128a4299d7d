// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "../namespace.h"
#include "arena.h"
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
    const std::uint64_t hash = hash_of(path);
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
    e->hash = hash_of(path);
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

  // Four bytes at a time, the product's upper half folded into the lower.  In 64 bits, so that
  // no product wraps.
  static std::uint64_t hash_of(std::string_view path) {
    std::uint64_t hash = path.size() & 0xffffffffU;
    std::uint32_t word = 0;
    const char* at = path.data();
    std::size_t left = path.size();
    for (; left >= sizeof(word); at += sizeof(word), left -= sizeof(word)) {
      std::memcpy(&word, at, sizeof(word));
      hash = mixed(hash, word);
    }
    word = 0;
    if (left != 0) std::memcpy(&word, at, left);
    return mixed(hash, word);
  }

  static std::uint64_t mixed(std::uint64_t hash, std::uint32_t word) {
    const std::uint64_t product = (hash ^ word) * 0x9e3779b1U;
    return (product ^ product >> 32) & 0xffffffffU;
  }

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
