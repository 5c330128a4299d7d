// SPDX-License-Identifier: BSD-3-Clause
//
// The one class of core that knows a platform: Linux with glibc.  linux_system.cpp has files and
// directories, linux_mapped.cpp what is mapped, linux_loader.cpp what the loader has been built
// with, linux_process.cpp the driver's own libraries; the
// other functions of system/platform.h are in linux_gpus.cpp.
#pragma once

#include <cstdint>

#include "../model/arena.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/path_table.h"
#include "../model/version.h"
#include "../namespace.h"
#include "../system/own_system.h"
#include "../system/system_interface.h"
#include "glibc_cpu.h"
#include "loader_cache.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The first page of a mapped library.
struct mapped_place {
  std::uintptr_t base = 0;
  arena_string path;
};

/// The libraries of cuDNN in a text of the form of /proc/self/maps.
arena_vector<mapped_place> cudnn_in_maps(arena_string maps);

/// The file that is mapped at an address, in a text of that form; empty where none is.
arena_string path_in_maps(arena_string maps, std::uintptr_t address);

/// What differs between glibc's loaders of the machines for which there is a cuDNN.
struct loader_build {
  int machine;           ///< e_machine of its programs
  char triplet[18];      ///< of Debian's multiarch directories
  unsigned cache_flags;  ///< of its entries in ld.so.cache
};

/// The loader for programs of that e_machine; one that finds nothing where it is not known.
const loader_build& loader_build_for(int machine);

class linux_system : public system_interface {
 public:
  /// proc(5), /proc/pid/environ.
  static constexpr const char* initial_file = "/proc/self/environ";

  /// `environment` is that of now; it must outlive the object.  In .preinit_array `environ` is
  /// still null, so the caller passes what it was given.  In `secure` execution the loader
  /// ignores the environment.  `initial`, a file that outlives the object, is what the process
  /// started with.  Where it cannot be read, or is null, `environment` as it is at first stands for
  /// it.
  linux_system(char** environment, execution_mode mode, const char* initial = initial_file)
      : environment_(environment),
        secure_(mode == execution_mode::secure),
        initial_path_(initial) {}

  bool variable(const char* name, arena_string& value) const override;
  bool secure() const override { return secure_; }
  bool may_be_mapped(arena_string path) const override;
  open_result open(arena_string path, byte_source** source) const override;
  bool read_text(arena_string path, arena_string& text) const override;
  open_result list(arena_string path, const char* prefixes,
                   arena_vector<arena_string>& names) const override;
  arena_string real_path(arena_string path) const override;
  arena_string link_target(arena_string path) const override { return component(path).target; }
  bool may_be_written(arena_string path) const override;
  arena_string program_path() const override;
  arena_string working_directory() const override;
  arena_vector<mapped_object> mapped_objects() const override;
  arena_string loader_cache(arena_string soname) const override;
  arena_vector<arena_string> default_directories() const override;
  arena_vector<arena_string> hwcap_directories() const override;
  arena_string loader_platform(int machine) const override;
  int cuda_driver_version() const override;
  bool nvml_gpus(arena_vector<gpu>& gpus) const override;

 protected:
  /// One component of a path, behind a directory whose links are resolved.
  struct path_component {
    enum class type : unsigned char { missing, directory, link, other };
    type kind = type::missing;
    arena_string target;  ///< of a link
  };

  virtual path_component look_at_component(arena_string path) const;
  virtual const loader_build& build() const;
  /// The release of the loader's glibc; unknown where it is another C library's.
  virtual version glibc() const;

 private:
  cpu_words words_of_own_cpu() const;
  void read_initial_environment() const;
  void read_initial_variables() const;
  void read_arguments_of_loader() const;
  bool option_of_loader(const char* name, arena_string& value) const;
  void read_whole(arena_string path, arena_string& text) const;
  const path_component& component(arena_string path) const;

  arena& memory_ = current_arena();  ///< in which what is kept lies, whoever asks
  char** environment_;
  bool secure_;
  const char* initial_path_;
  // Read at the first use.
  mutable bool initial_read_ = false;
  mutable bool initial_known_ = false;
  mutable arena_vector<arena_string> initial_;  ///< "LD_NAME=value"; "--glibc-hwcaps-mask=value"
  mutable arena_string program_path_;
  mutable bool started_by_loader_ = false;  ///< as "ld.so program"
  mutable path_table<path_component> components_;
  mutable bool cpu_read_ = false;
  mutable cpu_answers cpu_;
  mutable bool cache_read_ = false;
  mutable arena_vector<loader_cache_entry> cache_;  ///< libcu* of /etc/ld.so.cache
  mutable arena_string cache_text_;                 ///< all of it
  mutable arena_vector<arena_string> default_directories_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
