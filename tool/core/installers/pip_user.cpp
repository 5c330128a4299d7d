// SPDX-License-Identifier: BSD-3-Clause
//
// pip install --user: any interpreter of that release, for the site-packages of one user.
#include "installers.h"

#include "../judge/advice/wheel_commands.h"
#include "../observe/pip_of_system.h"
#include "../observe/site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

class pip_user_installer final : public package_installer {
 public:
  bool is_here(const installer_search& search) const override {
    arena_string python;
    if (search.place != install_place::user || !find_pip_of_system(search.os, python)) return false;
    search.environment.old_pip = has_old_pip(search.os, site_of_system);
    return true;
  }

  fix_line command(const repair& step) const override {
    return installers::command_of_pip(step, " --user");
  }

  installer_effect effect() const override {
    installer_effect known;
    known.place = install_place::user;
    return known;
  }
};

}  // namespace

const package_installer& installers::pip_user() {
  static constexpr pip_user_installer object;
  return object;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
