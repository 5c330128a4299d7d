// SPDX-License-Identifier: BSD-3-Clause
//
// conda: its packages are recorded in <prefix>/conda-meta/<package>.json.
#include "installers.h"

#include "../judge/advice/wheel_commands.h"
#include "../model/format.h"
#include "../model/paths.h"
#include "../model/platform_words.h"
#include "../observe/site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

class conda_installer final : public package_installer {
 public:
  bool has_recorded(const package_record& package) const override {
    return package.manager == package_manager::conda;
  }

  fix_line command(const repair& step) const override {
    const arena_string prefix = directory_part(directory_part(step.name));
    return cudnn_checked::command(format("conda install -y -p %s --force-reinstall%s",
                                         quoted(prefix), quoted_words(step.packages)),
                                  step);
  }

  // In a shell conda is a function, of the program that this variable names.
  arena_string condition(const system_interface& os) const override {
    arena_string any;
    const bool may_be_here = os.variable("CONDA_EXE", any) || !os.variable("PATH", any);
    return may_be_here || has_program(os, "conda") ? "" : "with conda, which is not on PATH";
  }
};

}  // namespace

const package_installer& installers::conda() {
  static constexpr conda_installer object;
  return object;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
