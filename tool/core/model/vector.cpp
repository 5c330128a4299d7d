// SPDX-License-Identifier: BSD-3-Clause
#include "vector.h"

#include <cstring>

#include "arena.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Lies before the elements of a buffer.
struct alignas(std::max_align_t) vector_buffer {
  std::uint32_t used;  ///< by the longest of the vectors that share it
};

static std::uint32_t& vector_use_of(void* elements) {
  return (static_cast<vector_buffer*>(elements) - 1)->used;
}

void* vector_storage::extend(std::size_t count, std::size_t bytes) {
  const std::size_t wanted = size + count;
  if (wanted > UINT32_MAX / 2) __builtin_trap();
  if (wanted > capacity || vector_use_of(elements) != size) {
    const std::size_t most = wanted < 2 * std::size_t{size} ? 2 * std::size_t{size} : wanted;
    void* const fresh =
        static_cast<vector_buffer*>(take_memory(sizeof(vector_buffer) + most * bytes)) + 1;
    if (size != 0) std::memcpy(fresh, elements, size * bytes);
    elements = fresh;
    capacity = static_cast<std::uint32_t>(most);
  }
  char* const added = static_cast<char*>(elements) + size * bytes;
  size = static_cast<std::uint32_t>(wanted);
  if (wanted != 0) vector_use_of(elements) = size;
  return added;
}

vector_storage vector_storage::copy(std::size_t bytes) const {
  vector_storage own;
  own.insert(0, elements, size, bytes);
  return own;
}

void vector_storage::insert(std::size_t at, const void* from, std::size_t count,
                            std::size_t bytes) {
  if (count == 0) return;
  if (at != size) *this = copy(bytes);
  const std::size_t behind = (size - at) * bytes;
  char* const gap = static_cast<char*>(extend(count, bytes)) - behind;
  if (behind != 0) std::memmove(gap + count * bytes, gap, behind);
  std::memcpy(gap, from, count * bytes);
}

void vector_storage::remove(std::size_t at, std::size_t bytes) {
  *this = copy(bytes);
  char* const gap = static_cast<char*>(elements) + at * bytes;
  std::memmove(gap, gap + bytes, (size - at - 1) * bytes);
  --size;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
