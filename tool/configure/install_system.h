// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "../core/model/arena_string.h"
#include "../core/system/platform.h"
#include "../core/system/system_view.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The real system, but as a program would see it that was linked with `library` and finds it by
/// its own RUNPATH: what is looked at.  It is for the failure path, where no
/// program could be linked with that library, or where one that was did not survive its loading.
class install_system final : public system_view {
 public:
  install_system(const system_interface& real, arena_string library)
      : system_view(real), library_(std::move(library)) {}

  /// Like a RUNPATH, the cache is asked after LD_LIBRARY_PATH.
  arena_string loader_cache(arena_string soname) const override {
    const bool shim = soname.compare(0, 11, "libcudnn.so") == 0;
    return shim ? library_ : system_view::loader_cache(soname);
  }
  arena_string program_path() const override {
    return program_of_install(system_view::program_path(), library_);
  }

 private:
  arena_string library_;
};

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
