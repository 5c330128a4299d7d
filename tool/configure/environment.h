// SPDX-License-Identifier: BSD-3-Clause
//
// The environment that packages are installed into, and what it lacks.
#pragma once

#include "../core/judge/advice/wheel_commands.h"
#include "../core/system/system_interface.h"
#include "request.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

/// Has the active Python (python, imports) pip?
bool has_pip(const request& asked, const system_interface& os);

/// The environment whose site-packages that is; a folder of pip install --target where it is none.
python_environment environment_at(const request& asked, const system_interface& os,
                                  const arena_string& site);

/// The site-packages into which a cuDNN can be installed so that the next configure finds it: of
/// CuDNNChecked_ROOT (root), which binds, else of the active Python; empty where there are none.
arena_string site_to_install(const request& asked, const system_interface& os);

/// Is a package of cuDNN recorded there?
bool has_cudnn(const python_environment& e);

/// Does another package there require a package of cuDNN, of which there is one?
bool needs_its_cudnn(const system_interface& os, const python_environment& e);

/// The requirements of what is not there and belongs to the cuDNN in nvidia/<folder>: what a
/// program is compiled with (`to_compile`: CUDA's runtime and crt headers), and what cuDNN opens
/// when it computes (NVRTC; cuBLAS, which a JIT-only one does not use).
struct cuda_parts {
  arena_vector<arena_string> to_compile;
  arena_vector<arena_string> to_compute;
  arena_vector<arena_string> all() const;
};
cuda_parts missing_parts(const system_interface& os, const python_environment& e,
                         const arena_string& folder, int cuda_major);

/// What cuDNN opens of that wheel of CUDA, or a program is linked with, in the wheel's folder:
/// "lib/libnvrtc.so.13".
arena_string library_in_wheel(const char* wheel, int cuda_major);

/// The requirement as an order; what has the same folder, and is for another CUDA, is removed
/// first.
wheel_order order_of(const python_environment& e, const arena_string& requirement);

/// A command, or none where it would have bytes that cannot be typed.
fix_lines typed(const arena_string& line);
fix_lines typed(const fix_line& line);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
