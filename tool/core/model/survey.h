// SPDX-License-Identifier: BSD-3-Clause
//
// What of cuDNN and CUDA lies on a machine, and which of it the loader takes, as it was seen.
#pragma once

#include "../namespace.h"
#include "observation.h"
#include "string.h"
#include "vector.h"
#include "version.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A directory that may hold a cuDNN, and what led to it.
struct candidate {
  string directory;
  string found_by;  ///< "LD_LIBRARY_PATH[0]", "ld.so.cache", "CUDA_HOME", "wheel nvidia/cudnn"
};

/// One cuDNN: the files of one major release in one directory.
struct cudnn_install {
  string directory;
  vector<string> found_by;  ///< all that leads to it, the first first
  string library;           ///< its libcudnn.so.N; empty where it has none
  int major = 0;
  string header_path;  ///< its cudnn_version.h; empty where it has none
  version header;
  observation observed;
};

struct broken_link {
  string path;
  string target;  ///< what it says
  string found_by;
};

/// An entry of ld.so.cache whose file is gone.
struct stale_entry {
  string name;
  string path;
};

struct cuda_toolkit {
  string directory;
  string found_by;
  version number;
};

struct survey {
  vector<cudnn_install> installs;
  vector<cudnn_file> copies;  ///< of single libraries, which packages have renamed for themselves
  vector<broken_link> broken_links;
  vector<stale_entry> stale_entries;
  vector<candidate> lost_entries;  ///< of LD_LIBRARY_PATH: there is no such directory
  vector<cuda_toolkit> toolkits;
  string python;  ///< the interpreter that was asked for its packages
  /// What a program without a run path gets that NEEDs libcudnn.so of the newest major that is
  /// here; with the driver and the GPUs of the machine.
  observation by_default;
  bool gpu_hardware =
      false;  ///< a GPU of NVIDIA's is on the PCI bus, whether it can be used or not
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
