// SPDX-License-Identifier: BSD-3-Clause
//
// uv, for an environment without a pip of its own.
#include "installers.h"

#include "../judge/advice/wheel_commands.h"
#include "../model/platform_words.h"
#include "../observe/site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

class uv_installer final : public package_installer {
 public:
  bool is_here(const installer_search& search) const override {
    return search.place == install_place::environment && has_program(search.os, "uv");
  }

  fix_line command(const repair& step) const override {
    return installers::command_of_uv(step, " --python " + quoted(step.where.prefix), "");
  }

  installer_effect effect() const override { return installers::effect_of_uv(); }
};

}  // namespace

const package_installer& installers::uv() {
  static constexpr uv_installer object;
  return object;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
