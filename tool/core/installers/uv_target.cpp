// SPDX-License-Identifier: BSD-3-Clause
//
// uv pip install --target, for a folder that uv has filled, or where there is no pip.
#include "installers.h"

#include "../judge/advice/wheel_commands.h"
#include "../model/platform_words.h"
#include "../observe/site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

class uv_target_installer final : public package_installer {
 public:
  bool is_here(const installer_search& search) const override {
    return search.place == install_place::folder && has_program(search.os, "uv");
  }

  // Without --system uv asks for a virtual environment, even where a folder is named.
  fix_line command(const repair& step) const override {
    const arena_string place = " --target " + quoted(step.where.site) + other_platform_for_uv();
    return installers::command_of_uv(step, place, " --system");
  }

  installer_effect effect() const override {
    installer_effect known = installers::effect_of_uv();
    known.place = install_place::folder;
    return known;
  }
};

}  // namespace

const package_installer& installers::uv_target() {
  static constexpr uv_target_installer object;
  return object;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
