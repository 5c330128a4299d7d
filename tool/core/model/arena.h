// SPDX-License-Identifier: BSD-3-Clause
//
// Where the strings and vectors of core lie.  A check takes memory piece by piece and gives all of
// it back at once, so that no type of core has a destructor.  Destructors, and the paths by which
// exceptions reach them, were a sixth of the guard's code (docs/measurements.md).
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Memory that is given back as a whole.  A constant is enough to initialise it, and it has no
/// destructor: it can be a global before any initialiser has run.
class arena {
 public:
  constexpr arena() = default;
  arena(const arena&) = delete;
  arena& operator=(const arena&) = delete;

  /// Ends the process where there is no memory.
  void* take(std::size_t bytes, std::size_t alignment);
  void release();
  /// Gets all memory of another, which is empty then, as this one is before.
  void take_over(arena& other);

 private:
  struct chunk {
    chunk* before;
  };
  chunk* last_ = nullptr;
  char* next_ = nullptr;
  char* end_ = nullptr;
};

/// As long as it lives, what this thread makes lies in that arena.  Outside of every such block,
/// memory is the process's, for one thread, and is never given back: enough for the probe and the
/// command line.
class arena_block {
 public:
  explicit arena_block(arena& which);
  ~arena_block();
  arena_block(const arena_block&) = delete;
  arena_block& operator=(const arena_block&) = delete;

 private:
  arena* before_;
};

/// The arena of the innermost block of this thread, or of the process.
arena& current_arena();

/// Memory of the current arena, by default aligned for every type.
void* take_memory(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t));

/// An object in memory of that block, which is given back with it: no destructor is run.
template <class T, class... arguments>
T* make_in_arena(arguments&&... values) {
  return new (take_memory(sizeof(T), alignof(T))) T(std::forward<arguments>(values)...);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
