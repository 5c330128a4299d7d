// SPDX-License-Identifier: BSD-3-Clause
#include "arena_vector.h"

#include <cstdlib>
#include <cstring>

#include "arena.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void* vector_storage::extend(std::size_t bytes) {
  const std::size_t wanted = size + bytes;
  if (wanted > UINT32_MAX / 2) std::abort();
  if (wanted > capacity) {
    const std::size_t most = wanted < 2 * std::size_t{size} ? 2 * std::size_t{size} : wanted;
    char* const fresh = static_cast<char*>(take_memory(most));
    if (size != 0) std::memcpy(fresh, elements, size);
    elements = fresh;
    capacity = static_cast<std::uint32_t>(most);
  }
  char* const added = elements + size;
  size = static_cast<std::uint32_t>(wanted);
  return added;
}

void vector_storage::insert(std::size_t at, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const std::size_t behind = size - at;
  char* const gap = static_cast<char*>(extend(bytes)) - behind;
  if (behind != 0) std::memmove(gap + bytes, gap, behind);
  std::memcpy(gap, from, bytes);
}

void vector_storage::remove(std::size_t at, std::size_t bytes) {
  char* const gap = elements + at;
  size -= static_cast<std::uint32_t>(bytes);
  std::memmove(gap, gap + bytes, size - at);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
