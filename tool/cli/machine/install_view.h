// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/system/platform.h"
#include "../../core/system/system_view.h"
#include "../../repair/passing_memory.h"
#include "../text/lists.h"
#include "candidates.h"

namespace cudnn_checked::cli {

/// The directories of the loader's variable, links resolved, that have a library of that name.
inline std::set<std::string> directories_of_variable_with(const system_interface& os,
                                                          const arena_string& name) {
  std::set<std::string> found;
  for (const candidate& entry : ld_library_path_entries(os)) {
    if (exists(os, join_path(entry.directory, name))) found.insert(os.real_path(entry.directory));
  }
  return found;
}

/// The system as a program would see it that was linked with one install.  Where LD_LIBRARY_PATH
/// leads to another whole cuDNN, a program would use that one instead, so none of it is here.
class install_view final : public system_view {
 public:
  enum class preloads { ignored, counted };

  install_view(const system_interface& real, const arena_string& library,
               preloads mode = preloads::ignored)
      : system_view(real),
        library_(library),
        own_(real.real_path(directory_part(library))),
        mode_(mode),
        found_(directories_of_variable_with(real, base_name(library))),
        with_shim_(found_) {}
  install_view(const install_view&) = delete;
  install_view& operator=(const install_view&) = delete;

  /// The same where `with_shim`, which must outlive this, is known: the directories of the variable
  /// that have its libcudnn.so.N.
  install_view(const system_interface& real, const arena_string& library,
               const std::set<std::string>& with_shim, preloads mode = preloads::ignored)
      : system_view(real),
        library_(library),
        own_(real.real_path(directory_part(library))),
        mode_(mode),
        with_shim_(with_shim) {}

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
    std::vector<std::string> all;
    open_result result = open_result::failed;
    {
      const repairs::passing_memory until_here;
      arena_vector<arena_string> listed;
      result = system_view::list(path, prefixes, listed);
      const std::string real = real_path(path);
      const bool is_other = real != own_ && with_shim_.count(real) != 0;
      for (const arena_string& name : listed) {
        if (!is_other || !is_cudnn_name(name)) all.push_back(name);
      }
    }
    for (const std::string& name : all) names.push_back(name);
    return result;
  }
  arena_vector<mapped_object> mapped_objects() const override { return {}; }
  arena_string program_path() const override {
    return program_of_install(system_view::program_path(), library_);
  }

 private:
  const arena_string library_;
  const std::string own_;  ///< its directory, links resolved
  const preloads mode_;
  const std::set<std::string> found_;
  const std::set<std::string>& with_shim_;
};

}  // namespace cudnn_checked::cli
