// SPDX-License-Identifier: BSD-3-Clause
//
// The cuDNNs and CUDAs of a machine as they were seen, and which of them the loader takes.
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "cudnn_header.h"
#include "finding.h"
#include "observation.h"
#include "unstamped_program.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A directory that may hold a cuDNN, and what led to it.
struct candidate {
  arena_string directory;
  arena_string
      found_by;    ///< "LD_LIBRARY_PATH[0]", "ld.so.cache", "CUDA_HOME", "wheel nvidia/cudnn"
  int index = -1;  ///< of the entry, where it is one of the loader's variable
  bool searched = false;  ///< by the loader, for what any program asks for
};

/// One cuDNN: the files of one major release in one directory.
struct cudnn_install {
  arena_string directory;
  arena_vector<arena_string> found_by;  ///< all that leads to it, the first first
  bool searched = false;                ///< by the loader, for what any program asks for
  arena_string library;                 ///< its libcudnn.so.N; empty where it has none
  int major = 0;
  arena_string header_path;  ///< its cudnn_version.h; empty where it has none
  version header;
  arena_vector<cudnn_header> headers;
  observation observed;
  observation preloaded;  ///< the same with what is preloaded; no files: no cuDNN is
  int compared = 0;       ///< of its libraries, with the contents that their package recorded
};

struct broken_link {
  arena_string path;
  arena_string target;  ///< what it says
  arena_string found_by;
};

/// An entry of ld.so.cache whose file is gone.
struct stale_entry {
  arena_string name;
  arena_string path;
};

struct cuda_toolkit {
  arena_string directory;
  arena_string found_by;
  version number;
};

/// A package of an environment whose own record lists libraries of cuDNN.
struct recorded_package {
  package_record package;
  int listed = 0;                     ///< libraries of cuDNN that its record lists
  bool has_record = false;            ///< false: metadata without a list of files
  arena_vector<arena_string> absent;  ///< paths of the libraries that do not exist
  arena_vector<arena_string> absent_headers;
};

/// Files of cuDNN that two packages have recorded as their own.
struct shared_files {
  package_record first;  ///< of the two the one whose lengths more of the files have
  package_record second;
  arena_vector<arena_string> paths;
};

/// A package that requires a package of cuDNN, and what is installed of that.
struct package_requirement {
  cudnn_requirement asked;
  arena_string installed;        ///< "9.1.0.70"; empty: it is not installed
  answer met = answer::unknown;  ///< unknown: for a marker or a specifier that is not understood
};

/// The cuDNN that the loader takes for somebody.
struct taken_cudnn {
  arena_string release;  ///< "9.5.1 for CUDA 12", "unknown"; empty: it takes none
  version number;        ///< unknown where that is
  int cuda_major = 0;
  arena_string kind;       ///< "whole", "JIT-only", "partial", "mixed"
  arena_string directory;  ///< of the library that computes
};

/// A library of an environment that uses cuDNN, and what `verify` says of it.
struct cudnn_user {
  arena_string package;                  ///< "torch 2.7.1"; empty: no record names the library
  arena_vector<arena_string> libraries;  ///< paths: the one that was checked, and others of its
                                         ///< package of which the same was found
  cudnn_use use = cudnn_use::none;
  arena_string opened;                ///< "libcudnn.so.9", where it opens it by name
  arena_vector<arena_string> needed;  ///< libraries of cuDNN among its NEEDED entries
  bool preloaded = false;         ///< it can only be opened after others have loaded what it needs
  cudnn_requirement requirement;  ///< of its package
  taken_cudnn takes;
  verdict result = verdict::unknown;
  arena_vector<finding> findings;
};

/// Why a look at an environment ended before its end.
enum class look_limit : unsigned char { none, files, time };

/// A site-packages, or the prefix of a conda environment.
struct environment {
  arena_string directory;
  arena_string found_by;      ///< "packages of /venv/bin/python", "CONDA_PREFIX", "command line"
  python_environment python;  ///< who installs packages there; its site is empty where not known
  int packages = 0;           ///< that have metadata
  int libraries = 0;          ///< shared libraries that were read
  look_limit limit = look_limit::none;
  arena_vector<recorded_package> cudnn_packages;
  arena_vector<shared_files> shared;
  arena_vector<package_requirement> requirements;  ///< each package that requires one of cuDNN's
  cudnn_requirement optional;                      ///< what a package asks for with an extra only
  arena_vector<arena_string>
      leftovers;  ///< folders that an interrupted pip has left: "~vidia_cudnn_cu12-..."
  arena_vector<cudnn_user> users;
};

enum class lost_reason : unsigned char {
  missing,  ///< there is no such directory
  quoted,   ///< the same, and it is in quotes, which the loader takes for a part of the name
  file
};

/// An entry of LD_LIBRARY_PATH that is no directory.
struct lost_entry {
  arena_string directory;
  int index = 0;  ///< among the entries of the variable: of the first that names it
  lost_reason why = lost_reason::missing;
};

/// A variable that names where a cuDNN is, and leads to none.
struct lost_hint {
  const char* variable;
  arena_string directory;
  bool exists = false;
};

/// Libraries of cuDNN in a directory that has no libcudnn.so for them.
struct set_without_shim {
  arena_string directory;
  arena_string found_by;
  arena_string shim;                 ///< "libcudnn.so.9"
  arena_vector<arena_string> files;  ///< names
};

struct survey {
  arena_vector<cudnn_install> installs;
  arena_vector<candidate> left_out;  ///< where more of them lie than are looked at
  /// Of directories that somebody names; of all where no cuDNN is found.
  arena_vector<set_without_shim> without_shim;
  arena_vector<environment> environments;
  arena_vector<cudnn_file>
      copies;  ///< of single libraries, which packages have renamed for themselves
  arena_vector<broken_link> broken_links;
  arena_vector<stale_entry> stale_entries;
  arena_vector<lost_entry> lost_entries;
  arena_vector<lost_hint> lost_hints;
  arena_vector<cuda_toolkit> toolkits;
  arena_string python;  ///< the interpreter that was asked for its packages
  /// What a program without a run path gets if it NEEDs libcudnn.so of the newest major release on
  /// this machine, with the machine's driver and GPUs.
  observation by_default;
  bool gpu_hardware =
      false;  ///< a GPU of NVIDIA's is on the PCI bus, whether it can be used or not
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
