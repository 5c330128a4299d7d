// SPDX-License-Identifier: BSD-3-Clause
#include "path_table.h"

#include <utility>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

path_index::entry*& path_index::first_of(std::uint64_t hash) {
  return buckets_.in_place()[static_cast<std::size_t>(hash) & (buckets_.size() - 1)];
}

path_index::entry* path_index::find_entry(std::string_view path) const {
  if (buckets_.empty()) return nullptr;
  const std::uint64_t hash = hash_of_path(path);
  entry* e = const_cast<path_index*>(this)->first_of(hash);
  while (e != nullptr && (e->hash != hash || e->path != path)) e = e->next;
  return e;
}

void path_index::add_entry(std::string_view path, entry* added) {
  if (count_ == buckets_.size()) grow();
  added->path = arena_string(path);
  added->hash = hash_of_path(path);
  entry*& first = first_of(added->hash);
  added->next = first;
  first = added;
  ++count_;
}

void path_index::grow() {
  arena_vector<entry*> before(buckets_.empty() ? 64 : buckets_.size() * 2);
  std::swap(before, buckets_);
  for (entry* e : before) {
    while (e != nullptr) {
      entry* const next = e->next;
      entry*& first = first_of(e->hash);
      e->next = first;
      first = e;
      e = next;
    }
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
