// SPDX-License-Identifier: BSD-3-Clause
//
// The one class of core that knows Windows.  windows_system.cpp has files, directories and the
// environment, windows_mapped.cpp what is loaded, windows_process.cpp the driver's own libraries.
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The file of a loaded module, an HMODULE; of the program, if that is null.  Empty if it has none.
arena_string path_of_module(void* module);

class windows_system : public system_interface {
 public:
  bool variable(const char* name, arena_string& value) const override;
  /// Windows has no programs with the rights of their file.
  bool secure() const override { return false; }
  open_result open(arena_string path, byte_source** source) const override;
  bool read_text(arena_string path, arena_string& text) const override;
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override;
  arena_string real_path(arena_string path) const override;
  bool may_be_written(arena_string path) const override;
  arena_string program_path() const override;
  arena_string working_directory() const override;
  arena_vector<mapped_object> mapped_objects() const override;
  /// There is none.
  arena_string loader_cache(arena_string) const override { return {}; }
  /// The system's directories: System32, that of 16 bits, Windows itself.
  arena_vector<arena_string> default_directories() const override;
  arena_vector<arena_string> hwcap_directories() const override { return {}; }
  arena_string loader_platform(int) const override { return {}; }
  int cuda_driver_version() const override;
  bool nvml_gpus(arena_vector<gpu>& gpus) const override;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
