// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Another system with some of its answers changed: what a derived class does not answer itself,
/// `real`, which must outlive it, does.
class system_view : public system_interface {
 public:
  explicit system_view(const system_interface& real) : real_(real) {}

  bool variable(const char* name, arena_string& value) const override {
    return real_.variable(name, value);
  }
  bool secure() const override { return real_.secure(); }
  open_result open(arena_string path, byte_source** source) const override {
    return real_.open(path, source);
  }
  bool read_text(arena_string path, arena_string& text) const override {
    return real_.read_text(path, text);
  }
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override {
    return real_.list(path, prefixes, names);
  }
  bool may_be_mapped(arena_string path) const override { return real_.may_be_mapped(path); }
  arena_string real_path(arena_string path) const override { return real_.real_path(path); }
  arena_string link_target(arena_string path) const override { return real_.link_target(path); }
  bool may_be_written(arena_string path) const override { return real_.may_be_written(path); }
  arena_string program_path() const override { return real_.program_path(); }
  arena_string working_directory() const override { return real_.working_directory(); }
  arena_vector<mapped_object> mapped_objects() const override { return real_.mapped_objects(); }
  arena_string loader_cache(arena_string soname) const override {
    return real_.loader_cache(soname);
  }
  arena_vector<arena_string> default_directories() const override {
    return real_.default_directories();
  }
  arena_vector<arena_string> hwcap_directories() const override {
    return real_.hwcap_directories();
  }
  arena_string loader_platform(int machine) const override {
    return real_.loader_platform(machine);
  }
  int cuda_driver_version() const override { return real_.cuda_driver_version(); }
  bool nvml_gpus(arena_vector<gpu>& gpus) const override { return real_.nvml_gpus(gpus); }

 private:
  const system_interface& real_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
