// SPDX-License-Identifier: BSD-3-Clause
#include "vector.h"

#include <cstring>

#include "arena.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void* vector_storage::extend(std::size_t count, std::size_t bytes) {
  const std::size_t wanted = size + count;
  if (wanted > UINT32_MAX / 2) __builtin_trap();
  if (wanted > capacity) {
    const std::size_t most =
        wanted < 2 * std::size_t{capacity} ? 2 * std::size_t{capacity} : wanted;
    void* const fresh = take_memory(most * bytes);
    if (size != 0) std::memcpy(fresh, elements, size * bytes);
    elements = fresh;
    capacity = static_cast<std::uint32_t>(most);
  }
  char* const added = static_cast<char*>(elements) + size * bytes;
  size = static_cast<std::uint32_t>(wanted);
  return added;
}

void vector_storage::insert(std::size_t at, const void* from, std::size_t count, std::size_t bytes,
                            copier copy) {
  if (count == 0) return;
  const std::size_t behind = (size - at) * bytes;
  char* const gap = static_cast<char*>(extend(count, bytes)) - behind;
  if (behind != 0) std::memmove(gap + count * bytes, gap, behind);
  if (copy == nullptr) {
    std::memcpy(gap, from, count * bytes);
  } else {
    copy(gap, from, count);
  }
}

void vector_storage::remove(std::size_t at, std::size_t bytes) {
  char* const gap = static_cast<char*>(elements) + at * bytes;
  std::memmove(gap, gap + bytes, (size - at - 1) * bytes);
  --size;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
