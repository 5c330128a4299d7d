// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/system/platform.h"
#include "../../core/system/system_view.h"
#include "../text/lists.h"
#include "candidates.h"

namespace cudnn_checked::cli {

/// The system as a program would see it that was linked with one install.  Where LD_LIBRARY_PATH
/// leads to another whole cuDNN, a program would use that one instead, so none of it is here.
class install_view final : public system_view {
 public:
  enum class preloads { ignored, counted };

  install_view(const system_interface& real, arena_string library,
               preloads mode = preloads::ignored)
      : system_view(real), library_(std::move(library)), mode_(mode) {
    const arena_string shim = base_name(library_);
    const arena_string own = real.real_path(directory_part(library_));
    for (const candidate& entry : ld_library_path_entries(real)) {
      const arena_string other = real.real_path(join_path(entry.directory, shim));
      const arena_string directory = real.real_path(entry.directory);
      if (!other.empty() && directory != own) others_.push_back(directory);
    }
  }

  arena_string loader_cache(arena_string soname) const override {
    return soname.compare(0, 12, "libcudnn.so.") == 0 ? library_
                                                      : system_view::loader_cache(soname);
  }
  bool variable(const char* name, arena_string& value) const override {
    const bool hidden = mode_ == preloads::ignored && arena_string(name) == "LD_PRELOAD";
    return !hidden && system_view::variable(name, value);
  }
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override {
    arena_vector<arena_string> all;
    const open_result result = system_view::list(path, prefixes, all);
    const bool is_other = contains(others_, real_path(path));
    for (const arena_string& name : all) {
      if (!is_other || !is_cudnn_name(name)) names.push_back(name);
    }
    return result;
  }
  arena_vector<mapped_object> mapped_objects() const override { return {}; }
  arena_string program_path() const override {
    return program_of_install(system_view::program_path(), library_);
  }

 private:
  arena_string library_;
  preloads mode_;
  std::vector<arena_string> others_;  ///< directories, links resolved
};

}  // namespace cudnn_checked::cli
