// SPDX-License-Identifier: BSD-3-Clause
//
// Memory of a look that is one of many: what it made is given back, and what outlives it is in
// types of the standard library.
#pragma once

#include "../core/model/arena.h"

namespace cudnn_checked::repairs {

namespace own {

struct released_arena {
  arena memory;

  released_arena() = default;
  released_arena(const released_arena&) = delete;
  released_arena& operator=(const released_arena&) = delete;
  ~released_arena() { memory.release(); }
};

}  // namespace own

/// As long as it lives, what this thread makes lies in memory that ends with it.  A system that is
/// asked meanwhile and keeps answers must keep them elsewhere: remembered_system does.
class passing_memory : own::released_arena {
 public:
  passing_memory() : block_(memory) {}

 private:
  arena_block block_;
};

}  // namespace cudnn_checked::repairs
