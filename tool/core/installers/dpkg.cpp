// SPDX-License-Identifier: BSD-3-Clause
//
// dpkg, whose packages apt fetches: Debian, Ubuntu.
#include "installers.h"

#include "../judge/advice/wheel_commands.h"
#include "../model/observation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

class dpkg_installer final : public package_installer {
 public:
  bool has_recorded(const package_record& package) const override {
    return package.manager == package_manager::dpkg;
  }

  fix_line command(const repair& step) const override {
    return cudnn_checked::command("apt-get install --reinstall" + quoted_words(step.packages),
                                  step);
  }

  installer_effect effect() const override {
    installer_effect known;
    known.fetches_by_apt = true;
    return known;
  }
};

}  // namespace

const package_installer& installers::dpkg() {
  static constexpr dpkg_installer object;
  return object;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
