// SPDX-License-Identifier: BSD-3-Clause
//
// The Python environment that a file lies in: where its package is installed again, and by whom.
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "arena_vector.h"
#include "package_installer.h"
#include "paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A package of NVIDIA's, by the name of its folder of metadata.
struct installed_wheel {
  arena_string name;    ///< "nvidia-cudnn-cu13"
  arena_string number;  ///< "9.14.0.64"
  arena_string info;    ///< "nvidia_cudnn_cu13-9.14.0.64.dist-info"
};

/// "nvidia-cudnn-cu12" of "Nvidia_cuDNN.cu12" (PEP 503, "Normalized Names").
arena_string normalized_name(arena_string name);

/// The package whose folder of metadata has that name, <name>-<version>.dist-info, however the
/// name is spelt (Python Packaging User Guide, "Recording installed projects"); without a name for
/// every other folder.
installed_wheel wheel_of_info(arena_string info);

/// Where a file lies that RECORD lists: below the site-packages, or by an absolute path (PEP 376).
inline arena_string recorded_path(arena_string site, arena_string listed) {
  return has_root(listed) ? listed : join_path(site, listed);
}

struct python_environment {
  arena_string site;    ///< its site-packages, or the folder: "/venv/lib/python3.12/site-packages"
  arena_string prefix;  ///< "/venv"
  arena_string
      python;  ///< its interpreter: "/venv/bin/python"; of a user's site the name alone, where
               ///< PATH leads to it; of a target one that has pip, where that is known
  const package_installer* installer = nullptr;  ///< of packages there; null: none is here
  bool managed = false;        ///< externally managed (PEP 668): pip asks for a flag
  bool has_variables = false;  ///< PYTHONPATH or PYTHONHOME is set: to pip what they lead to is the
                               ///< environment, and is removed there
  bool brings_pip = false;  ///< it has no pip, and a standard library that brings one (ensurepip)
  bool old_pip = false;     ///< before 20.3, so it knows no "manylinux_2_27" (PEP 600)
  arena_vector<installed_wheel> wheels;  ///< of NVIDIA's
  arena_vector<arena_string> libraries;  ///< folders of CUDA's libraries: "<site>/nvidia/cu13/lib"
};

/// What a command of its installer does there.
inline installer_effect effect_of_installer(const python_environment& e) {
  return e.installer == nullptr ? installer_effect() : e.installer->effect();
}

/// Is it what a distribution manages, or the Python of the system, which others use too?
inline bool is_of_distribution(const python_environment& e) {
  return e.managed || base_name(e.prefix) == "usr";
}

/// The site-packages that a path lies in, else the folder above its "nvidia"; empty for none.
arena_string site_of(arena_string path);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
