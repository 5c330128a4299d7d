// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/string.h"
#include "../model/vector.h"
#include "../namespace.h"
#include "system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Another system with some of its answers changed: what a derived class does not answer itself,
/// `real`, which must outlive it, does.
class system_view : public system_interface {
 public:
  explicit system_view(const system_interface& real) : real_(real) {}

  bool variable(const char* name, string& value) const override {
    return real_.variable(name, value);
  }
  bool secure() const override { return real_.secure(); }
  open_result open(string path, byte_source** source) const override {
    return real_.open(path, source);
  }
  bool read_text(string path, string& text) const override { return real_.read_text(path, text); }
  open_result list(string path, const char* prefixes, vector<string>& names) const override {
    return real_.list(path, prefixes, names);
  }
  bool may_be_mapped(string path) const override { return real_.may_be_mapped(path); }
  string real_path(string path) const override { return real_.real_path(path); }
  bool may_be_written(string path) const override { return real_.may_be_written(path); }
  string program_path() const override { return real_.program_path(); }
  string working_directory() const override { return real_.working_directory(); }
  vector<mapped_object> mapped_objects() const override { return real_.mapped_objects(); }
  string loader_cache(string soname) const override { return real_.loader_cache(soname); }
  vector<string> default_directories() const override { return real_.default_directories(); }
  vector<string> hwcap_directories() const override { return real_.hwcap_directories(); }
  int cuda_driver_version() const override { return real_.cuda_driver_version(); }
  bool nvml_gpus(vector<gpu>& gpus) const override { return real_.nvml_gpus(gpus); }

 private:
  const system_interface& real_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
