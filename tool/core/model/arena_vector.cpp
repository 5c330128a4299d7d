// SPDX-License-Identifier: BSD-3-Clause
#include "arena_vector.h"

#include <cstdlib>
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

void* vector_storage::extend(std::size_t bytes) {
  const std::size_t wanted = size + bytes;
  if (wanted > UINT32_MAX / 2) std::abort();
  if (wanted > capacity || vector_use_of(elements) != size) {
    const std::size_t most = wanted < 2 * std::size_t{size} ? 2 * std::size_t{size} : wanted;
    void* const fresh = static_cast<vector_buffer*>(take_memory(sizeof(vector_buffer) + most)) + 1;
    if (size != 0) std::memcpy(fresh, elements, size);
    elements = static_cast<char*>(fresh);
    capacity = static_cast<std::uint32_t>(most);
  }
  char* const added = elements + size;
  size = static_cast<std::uint32_t>(wanted);
  if (wanted != 0) vector_use_of(elements) = size;
  return added;
}

vector_storage vector_storage::copy() const {
  vector_storage own;
  own.insert(0, elements, size);
  return own;
}

void vector_storage::insert(std::size_t at, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (at != size) *this = copy();
  const std::size_t behind = size - at;
  char* const gap = static_cast<char*>(extend(bytes)) - behind;
  if (behind != 0) std::memmove(gap + bytes, gap, behind);
  std::memcpy(gap, from, bytes);
}

void vector_storage::remove(std::size_t at, std::size_t bytes) {
  *this = copy();
  char* const gap = elements + at;
  size -= static_cast<std::uint32_t>(bytes);
  std::memmove(gap, gap + bytes, size - at);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
