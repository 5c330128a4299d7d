// SPDX-License-Identifier: BSD-3-Clause
//
// pip, run by the interpreter of the environment.
#include "installers.h"

#include "../judge/advice/wheel_commands.h"
#include "../model/platform_words.h"
#include "../observe/pip_of_system.h"
#include "../observe/site_packages.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

class pip_installer final : public package_installer {
 public:
  // ensurepip brings one where there is none.  One that is too old is left for uv in an environment
  // that uv can change.
  bool is_here(const installer_search& search) const override {
    python_environment& e = search.environment;
    if (search.place != install_place::environment) return false;
    const bool has_uv = has_program(search.os, "uv");
    if (!search.has_pip) {
      e.brings_pip = !has_uv && brings_pip(search.os, e);
      return e.brings_pip;
    }
    e.old_pip = has_old_pip(search.os, starts_pip(search.os, e.site) ? e.site : site_of_system);
    return !e.old_pip || !has_uv || !starts_with(e.python, e.prefix + "/");
  }

  fix_line command(const repair& step) const override {
    fix_line line = installers::command_of_pip(step, "");
    if (step.where.brings_pip)
      line.text = quoted(step.where.python) + " -m ensurepip && " + line.text;
    return line;
  }
};

}  // namespace

const package_installer& installers::pip() {
  static constexpr pip_installer object;
  return object;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
