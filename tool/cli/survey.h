// SPDX-License-Identifier: BSD-3-Clause
//
// What of cuDNN and CUDA lies on this machine, and which of it the loader takes: facts for
// `doctor`, and for advice that points to a copy that is already there.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../core/judge/judge.h"
#include "../core/model/observation.h"
#include "../core/system/system_view.h"

namespace cudnn_checked::cli {

/// A directory that may hold a cuDNN, and what led to it.
struct candidate {
  std::string directory;
  std::string found_by;  ///< "LD_LIBRARY_PATH[0]", "ld.so.cache", "CUDA_HOME", "wheel nvidia/cudnn"
};

/// One cuDNN: the files of one major release in one directory.
struct cudnn_install {
  std::string directory;
  std::vector<std::string> found_by;  ///< all that leads to it, the first first
  std::string library;                ///< its libcudnn.so.N; empty where it has none
  int major = 0;
  std::string kind;     ///< "full", "JIT-only", "partial"
  std::string release;  ///< "9.14.0 for CUDA 13"
  version number;
  int cuda_major = 0;
  std::string header_path;  ///< its cudnn_version.h; empty where it has none
  version header;
  observation observed;
  std::vector<finding> findings;
};

struct broken_link {
  std::string path;
  std::string target;  ///< what it says
  std::string found_by;
};

/// An entry of ld.so.cache whose file is gone.
struct stale_entry {
  std::string name;
  std::string path;
};

struct cuda_toolkit {
  std::string directory;
  std::string found_by;
  version number;
};

struct survey {
  std::vector<cudnn_install> installs;
  std::vector<broken_link> broken_links;
  std::vector<stale_entry> stale_entries;
  std::vector<candidate> lost_entries;  ///< of LD_LIBRARY_PATH: there is no such directory
  std::vector<cuda_toolkit> toolkits;
  std::string python;  ///< the interpreter that was asked for its packages
  /// What a program without a run path gets that NEEDs libcudnn.so of the newest major that is
  /// here; with the driver and the GPUs of the machine.
  observation by_default;
  bool gpu_hardware =
      false;  ///< a GPU of NVIDIA's is on the PCI bus, whether it can be used or not
};

/// Looks at everything.
survey survey_machine(const system_interface& os);

/// The cuDNNs of this machine that could be used as they are.
std::vector<cudnn_place> places_of_cudnn(const system_interface& os);

/// The system as a program would see it that was linked with one install and is started without
/// LD_LIBRARY_PATH.
class install_view final : public system_view {
 public:
  install_view(const system_interface& real, std::string library)
      : system_view(real), library_(std::move(library)) {}

  std::string loader_cache(const std::string& soname) const override {
    return soname.compare(0, 12, "libcudnn.so.") == 0 ? library_
                                                      : system_view::loader_cache(soname);
  }
  bool variable(const char* name, std::string& value) const override {
    const std::string asked = name;
    return asked != "LD_LIBRARY_PATH" && asked != "LD_PRELOAD" &&
           system_view::variable(name, value);
  }
  std::vector<mapped_object> mapped_objects() const override { return {}; }

 private:
  std::string library_;
};

}  // namespace cudnn_checked::cli
