// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../core/observe/linux_system.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace probe {

/// The real system, but as a program would see it that was linked with `library` and finds it by
/// its own RUNPATH: what the files-only probe looks at.  It is for the failure path, where no
/// program could be linked with that library, or where one that was did not survive its loading.
class install_system final : public system_interface {
 public:
  install_system(char** environment, bool secure, std::string library)
      : real_(environment, secure), library_(std::move(library)) {}

  /// Like a RUNPATH, the cache is asked after LD_LIBRARY_PATH.
  std::string loader_cache(const std::string& soname) const override {
    const bool shim = soname.compare(0, 11, "libcudnn.so") == 0;
    return shim ? library_ : real_.loader_cache(soname);
  }

  bool variable(const char* name, std::string& value) const override {
    return real_.variable(name, value);
  }
  bool secure() const override { return real_.secure(); }
  open_result open(const std::string& path, byte_source** source) const override {
    return real_.open(path, source);
  }
  bool read_text(const std::string& path, std::string& text) const override {
    return real_.read_text(path, text);
  }
  open_result list(const std::string& path, const char* prefix,
                   std::vector<std::string>& names) const override {
    return real_.list(path, prefix, names);
  }
  std::string real_path(const std::string& path) const override { return real_.real_path(path); }
  bool device_usable(const std::string& path) const override { return real_.device_usable(path); }
  std::string program_path() const override { return real_.program_path(); }
  std::string working_directory() const override { return real_.working_directory(); }
  std::vector<mapped_object> mapped_objects() const override { return real_.mapped_objects(); }
  std::vector<std::string> default_directories() const override {
    return real_.default_directories();
  }
  int cuda_driver_version() const override { return real_.cuda_driver_version(); }
  bool nvml_gpus(std::vector<gpu>& gpus) const override { return real_.nvml_gpus(gpus); }

 private:
  linux_system real_;
  std::string library_;
};

}  // namespace probe
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
