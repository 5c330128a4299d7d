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

/// The environment with these site-packages; without one, the folder of pip install --target.
python_environment environment_at(const request& asked, const system_interface& os,
                                  const arena_string& site);

/// The site-packages where the next configure finds a cuDNN that is installed there: those of
/// CuDNNChecked_ROOT (root) if it is set, otherwise those of the active Python; empty without any.
arena_string site_to_install(const request& asked, const system_interface& os);

/// Is a package of cuDNN recorded there?
bool has_cudnn(const python_environment& e);

/// Does another package there require a package of cuDNN, of which there is one?
bool needs_its_cudnn(const system_interface& os, const python_environment& e);

/// Requirements for the missing parts of CUDA that the cuDNN in nvidia/<folder> needs: to compile a
/// program (`to_compile`: CUDA's runtime and crt headers), and to compute, because cuDNN opens them
/// (`to_compute`: NVRTC; cuBLAS, unless the cuDNN is JIT-only).
struct cuda_parts {
  arena_vector<arena_string> to_compile;
  arena_vector<arena_string> to_compute;
  arena_vector<arena_string> all() const;
};
cuda_parts missing_parts(const system_interface& os, const python_environment& e,
                         const arena_string& folder, int cuda_major);

/// The library of a CUDA wheel that cuDNN opens or a program is linked with, in the wheel's folder:
/// "lib/libnvrtc.so.13".
arena_string library_in_wheel(const char* wheel, int cuda_major);

/// The order for a requirement.  It first removes packages for another CUDA with the same folder.
wheel_order order_of(const python_environment& e, const arena_string& requirement);

/// A command, or none where it would have bytes that cannot be typed.
fix_lines typed(const arena_string& line);
fix_lines typed(const fix_line& line);

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
