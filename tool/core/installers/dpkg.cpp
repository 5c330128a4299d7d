// SPDX-License-Identifier: BSD-3-Clause
//
// dpkg, whose packages apt fetches: Debian, Ubuntu.
#include "installers.h"

#include "../judge/advice/advice.h"
#include "../model/format.h"
#include "../model/observation.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

class dpkg_installer final : public package_installer {
 public:
  bool has_recorded(const package_record& package) const override {
    return package.manager == package_manager::dpkg;
  }

  fix_line command(const repair& step) const override {
    return cudnn_checked::command(
        format("apt-get install --reinstall %s", quoted(step.package + "=" + step.value)), step);
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
