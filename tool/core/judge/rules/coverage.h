// SPDX-License-Identifier: BSD-3-Clause
//
// Which device code runs on which GPU.
#pragma once

#include "../../model/architecture.h"
#include "../../model/arena_vector.h"
#include "../../model/observation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// CUDA C++ Programming Guide, "Binary Compatibility": a cubin for X.y runs on X.z with z >= y, on
/// desktop chips only; between desktop and embedded (Tegra) chips there is none.  "Feature set
/// compiler targets": an 'a' cubin runs on exactly that compute capability, an 'f' cubin on its
/// family.
bool cubin_runs_on(const architecture& target, const architecture& device);

/// CUDA C++ Programming Guide, "PTX Compatibility": PTX compiles for any equal or greater compute
/// capability; 'a' PTX for exactly its own, 'f' PTX for its family.
bool ptx_runs_on(const architecture& target, const architecture& device);

/// Ordered by how well the GPU is served.
enum class coverage : unsigned char {
  none,
  unknown,  ///< nothing says whether it runs: sm_101 and sm_110, sm_88
  ptx_only,
  cubin
};

coverage coverage_of(const code_container& container, const architecture& device);

/// The code that the driver takes for the device: machine code before PTX, the newest of each.
/// "sm_80", "compute_75 (PTX)"; empty where there is none.
arena_string code_for(const arena_vector<code_container>& containers, const architecture& device);

/// The least of its containers: kernels of any of them may be launched.
coverage coverage_of(const arena_vector<code_container>& containers, const architecture& device);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
