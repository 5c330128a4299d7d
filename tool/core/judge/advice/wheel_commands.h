// SPDX-License-Identifier: BSD-3-Clause
//
// Commands for the Python environment that a file lies in.
#pragma once

#include "../../model/finding.h"
#include "../../model/python_environment.h"
#include "../../model/version.h"
#include "advice.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What an environment is to have.
struct wheel_order {
  vector<string> requirements;  ///< "nvidia-cudnn-cu13==9.14.0.*"
  vector<string> conflicting;   ///< names of packages to remove first: they have the same files
  /// The environment has a record of it, so pip would leave it as it is; its dependencies stay.
  bool again = false;
};

/// "/venv/bin/python -m pip uninstall -y A && /venv/bin/python -m pip install B".
string install_wheels(const python_environment& environment, const wheel_order& order);

/// The package of that name; null where the environment has none.
const installed_wheel* find_wheel(const python_environment& environment, const string& name);

/// "nvidia-cublas==13.*", "nvidia-cuda-nvrtc-cu12==12.9.*": of the release of CUDA that the
/// environment has.  cuBLAS has numbers of its own, with CUDA's major.
string requirement_of_cuda(const python_environment& environment, const char* wheel,
                           int cuda_major);

/// The directory, and those of CUDA's libraries in its environment, before the entries of
/// LD_LIBRARY_PATH.
string prepend_environment(const python_environment& environment, const string& directory,
                           const string& value);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
