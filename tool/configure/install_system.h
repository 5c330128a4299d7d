// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "../core/model/arena_string.h"
#include "../core/system/platform.h"
#include "../core/system/system_view.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// The real system as seen by a program that is linked with `library` and finds it by its own
/// RUNPATH.  It is used if no program could be linked with that library, or if loading the library
/// has ended the program.
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
