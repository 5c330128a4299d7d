// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "system_view.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The system as another program would see it that is started now, with the environment that
/// `real` has: nothing is mapped yet.  `real` must outlive it.
class program_view final : public system_view {
 public:
  program_view(const system_interface& real, arena_string program)
      : system_view(real), program_(std::move(program)) {
    // The kernel names a program by its real path, and so does $ORIGIN.
    const arena_string path = real.real_path(program_);
    if (!path.empty()) program_ = path;
  }

  arena_string program_path() const override { return program_; }
  arena_vector<mapped_object> mapped_objects() const override { return {}; }

 private:
  arena_string program_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
