// SPDX-License-Identifier: BSD-3-Clause
#include "arena.h"

#include <cstdint>
#include <cstdlib>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static constexpr std::size_t arena_chunk_bytes = 32 * 1024;

static thread_local arena* arena_in_use = nullptr;
static arena arena_of_process;

void* arena::take(std::size_t bytes, std::size_t alignment) {
  const std::size_t unaligned = reinterpret_cast<std::uintptr_t>(next_) & (alignment - 1);
  const std::size_t gap = unaligned == 0 ? 0 : alignment - unaligned;
  if (static_cast<std::size_t>(end_ - next_) >= gap + bytes) {
    next_ += gap;
  } else {
    constexpr std::size_t header = alignof(std::max_align_t);
    static_assert(sizeof(chunk) <= header, "a chunk begins aligned");
    const std::size_t size = bytes < arena_chunk_bytes ? arena_chunk_bytes : bytes;
    char* const fresh = static_cast<char*>(std::malloc(header + size));
    if (fresh == nullptr) std::abort();
    chunk* const added = reinterpret_cast<chunk*>(fresh);
    added->before = last_;
    last_ = added;
    next_ = fresh + header;
    end_ = next_ + size;
  }
  void* const taken = next_;
  next_ += bytes;
  return taken;
}

void arena::release() {
  while (last_ != nullptr) {
    chunk* const before = last_->before;
    std::free(last_);
    last_ = before;
  }
  next_ = end_ = nullptr;
}

void arena::take_over(arena& other) {
  last_ = other.last_;
  next_ = other.next_;
  end_ = other.end_;
  other.last_ = nullptr;
  other.next_ = other.end_ = nullptr;
}

arena_block::arena_block(arena& which) : before_(arena_in_use) { arena_in_use = &which; }

arena_block::~arena_block() { arena_in_use = before_; }

arena& current_arena() { return arena_in_use == nullptr ? arena_of_process : *arena_in_use; }

void* take_memory(std::size_t bytes, std::size_t alignment) {
  return current_arena().take(bytes, alignment);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
