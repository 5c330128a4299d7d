// SPDX-License-Identifier: BSD-3-Clause
//
// The operating system, the loader and the driver behind one interface, so that everything else can
// be tested against a fake.  linux_system is the only class of core that knows a platform.
#pragma once

#include <algorithm>
#include <cstddef>

#include "../model/arena.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Bytes of one regular file, read on demand; never mapped (a file that shrinks must not raise
/// SIGBUS).
class byte_source {
 public:
  virtual ~byte_source() = default;
  /// Allocated in the arena, which frees the memory.
  static void* operator new(std::size_t bytes) { return take_memory(bytes); }
  static void operator delete(void*) {}
  virtual unsigned long long size() const = 0;
  /// Reads exactly `count` bytes at `offset`; false where there are fewer or an error occurs.
  virtual bool read(unsigned long long offset, void* target, std::size_t count) const = 0;
  /// Reads as many as there is room for.
  bool fill(unsigned long long offset, arena_vector<unsigned char>& bytes) const {
    return read(offset, bytes.in_place().begin(), bytes.size());
  }
};

/// Why a file could not be opened.
enum class open_result : unsigned char {
  opened,
  missing,
  link_loop,
  directory,
  fifo,
  socket,
  device,
  denied,
  failed
};

/// A shared object in this process.
struct mapped_object {
  arena_string path;  ///< as the loader names it
  arena_string soname;
  arena_string build_id;         ///< of the note in memory: right even after an upgrade on the disk
  bool other_namespace = false;  ///< of dlmopen
};

class system_interface {
 public:
  /// False where the variable is unset, or must not be trusted (AT_SECURE).
  /// LD_LIBRARY_PATH and LD_PRELOAD are those that the process started with, which the loader
  /// obeys for as long as it runs; all others are those of now.
  virtual bool variable(const char* name, arena_string& value) const = 0;
  /// AT_SECURE: the program may have more rights than the user who started it (set-uid), and the
  /// loader takes nothing from that user: no environment, no $ORIGIN, no relative directory.
  virtual bool secure() const = 0;

  /// Opens a regular file without blocking; of anything else the result is its kind.
  /// The caller deletes `*source`.
  virtual open_result open(arena_string path, byte_source** source) const = 0;
  /// Reads a small text file such as those of /proc and /sys; false where it cannot be read.
  virtual bool read_text(arena_string path, arena_string& text) const = 0;
  /// Names in a directory that begin with one of `prefixes` ("a|b"), without "." and "..", in no
  /// order.  `denied` where it may not be listed, which does not keep the loader from opening a
  /// file in it.
  virtual open_result list(arena_string path, const char* prefixes,
                           arena_vector<arena_string>& names) const = 0;
  /// May code of that file be mapped?  Not where its file system is mounted noexec (mount(8)).
  virtual bool may_be_mapped(arena_string path) const {
    (void)path;
    return true;
  }
  /// Symbolic links resolved; empty where the path does not exist.
  virtual arena_string real_path(arena_string path) const = 0;

  /// Where a symbolic link leads, as it is written there; empty of anything else.
  virtual arena_string link_target(arena_string path) const {
    (void)path;
    return {};
  }

  /// May this process read and write it, a device node or a folder?  Asked without opening it; a
  /// control group that forbids the device (Slurm, containers) answers no as well.
  virtual bool may_be_written(arena_string path) const = 0;

  virtual arena_string program_path() const = 0;
  virtual arena_string working_directory() const = 0;
  virtual arena_vector<mapped_object> mapped_objects() const = 0;
  /// The loader's own cache: path of `soname` for this machine, or empty.
  virtual arena_string loader_cache(arena_string soname) const = 0;
  /// The loader's built-in directories, in its order.
  virtual arena_vector<arena_string> default_directories() const = 0;
  /// Directories for this CPU that the loader looks into before the one in which they are, in its
  /// order: "glibc-hwcaps/x86-64-v3", "tls/x86_64".
  virtual arena_vector<arena_string> hwcap_directories() const = 0;
  /// What $PLATFORM stands for in the lists of a program of that e_machine; empty where the CPU
  /// that runs it decides, and is not known.
  virtual arena_string loader_platform(int machine) const = 0;

  /// Asks the driver library for its CUDA version (cuDriverGetVersion; no cuInit); 0 on failure.
  /// Leaves nothing mapped.  The library is loaded by its SONAME, never by a path that core found:
  /// code runs on loading, and which file deserves that is the loader's decision, not a prediction.
  virtual int cuda_driver_version() const = 0;
  /// Asks NVML, loaded by its SONAME as well, for the GPUs of this machine.  Leaves nothing mapped.
  /// False where NVML is not there or fails.
  virtual bool nvml_gpus(arena_vector<gpu>& gpus) const = 0;

 protected:
  ~system_interface() = default;
};

// For callers that need only the answer, and not why a file is missing.

inline bool exists(const system_interface& os, const arena_string& path) {
  return !os.real_path(path).empty();
}
inline arena_vector<arena_string> names_in(const system_interface& os,
                                           const arena_string& directory,
                                           const char* prefixes = "") {
  arena_vector<arena_string> names;
  (void)os.list(directory, prefixes, names);
  return names;
}
inline arena_vector<arena_string> sorted_names_in(const system_interface& os,
                                                  const arena_string& directory,
                                                  const char* prefixes = "") {
  arena_vector<arena_string> names = names_in(os, directory, prefixes);
  sort(names);
  return names;
}
inline arena_string text_of(const system_interface& os, const arena_string& path) {
  arena_string text;
  return os.read_text(path, text) ? text : arena_string();
}
inline arena_string value_of(const system_interface& os, const char* name) {
  arena_string value;
  return os.variable(name, value) ? value : arena_string();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
