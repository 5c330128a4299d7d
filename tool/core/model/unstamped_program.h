// SPDX-License-Identifier: BSD-3-Clause
//
// What is known of a program or library that has no stamp.  A guarded program has one, so this is
// filled from outside only.
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "found_file.h"
#include "packer.h"
#include "repair.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The cuDNN that a Python package asks for in its metadata.
struct cudnn_requirement {
  arena_string text;     ///< "nvidia-cudnn-cu12==9.5.1.17"; empty: none is known
  arena_string package;  ///< the package that asks: "torch 2.7.1"
  arena_string record;   ///< path of its METADATA
  arena_string wheel;    ///< "nvidia-cudnn-cu12"
  arena_string pinned;   ///< "9.5.1.17", where nothing else will do
  version least;         ///< unknown where none is named
  int cuda_major = 0;
  wheel_order by_extra;  ///< how the package has it installed; empty: not by an extra
};

/// A package that has recorded a file.
struct package_release {
  arena_string name;       ///< as the index writes it: "transformer-engine-cu12"; empty: none has
  version number;          ///< without what stands behind the release: 2.8.0 of "2.8.0+cu128"
  arena_string text = {};  ///< as its record has it: "torch 2.8.0+cu128"
  arena_string full_number = {};
  arena_string record = {};  ///< path of its METADATA
};

/// How it comes to its cuDNN.
enum class cudnn_use : unsigned char {
  none,      ///< nothing says that it does
  needed,    ///< by a NEEDED entry, of it or of what it needs
  opened,    ///< by name, with dlopen()
  in_memory  ///< it is a process that has it in its memory
};

/// A library that it NEEDs and that only a process finds which has loaded it before.
struct preloaded_library {
  arena_string name;  ///< "libcudnn.so.9"
  arena_string path;  ///< where it lies, in the same site-packages
};

/// A library that it opens by name.
struct opened_runtime {
  arena_string name;  ///< "libcudart.so.12"
  arena_string path;
  choice chosen_by;
};

struct unstamped_program {
  bool is_library = false;  ///< no program is started: others open it
  bool dynamic = true;      ///< library_file::dynamic
  cudnn_use use = cudnn_use::none;
  arena_string asker;   ///< path of the file that NEEDs or opens cuDNN
  arena_string opened;  ///< "libcudnn.so.9", where it is opened by name
  arena_string
      opened_path;       ///< where it is opened by a path, and another one of that name is there
  arena_string opener;   ///< path of the library that opens it for `asker`; empty: itself
  arena_string told_by;  ///< what says that it opens it
  /// "process 4711": it is in one that runs, so what is mapped is known, and is meant to be used.
  arena_string process;
  bool comes_after = false;  ///< others are loaded before it, whose cuDNN is meant to be used
  package_release owner;
  cudnn_requirement requirement;
  int cuda_major = 0;         ///< of the CUDA that it NEEDs; 0 where that is none or several
  arena_string cuda_library;  ///< the name that says so: "libcudart.so.12"
  arena_string cuda_asker;    ///< path of the file that NEEDs it
  arena_vector<preloaded_library> preloads;
  /// A library of cuDNN among those, which its package does not load before it: what that loads is
  /// known.
  arena_string not_preloaded;
  /// CUDA's runtimes that it finds, where it refuses to work with more than one.
  arena_vector<opened_runtime> runtimes;
  packed_program packed;      ///< its libraries are in itself
  arena_string import_lacks;  ///< the library for want of which an import of its package failed

  /// Something says that it opens cuDNN, and not which.
  bool opens_unknown() const { return use == cudnn_use::none && !told_by.empty(); }
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
