// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include "../../core/system/system_view.h"

namespace cudnn_checked::cli {

/// The system as a program would see it that was linked with one install and is started without
/// LD_LIBRARY_PATH.
class install_view final : public system_view {
 public:
  install_view(const system_interface& real, string library)
      : system_view(real), library_(std::move(library)) {}

  string loader_cache(const string& soname) const override {
    return soname.compare(0, 12, "libcudnn.so.") == 0 ? library_
                                                      : system_view::loader_cache(soname);
  }
  bool variable(const char* name, string& value) const override {
    const string asked = name;
    return asked != "LD_LIBRARY_PATH" && asked != "LD_PRELOAD" &&
           system_view::variable(name, value);
  }
  vector<mapped_object> mapped_objects() const override { return {}; }

 private:
  string library_;
};

}  // namespace cudnn_checked::cli
