// SPDX-License-Identifier: BSD-3-Clause
//
// The probe's interface to tool/laboratory/operations, which computes operations besides single
// convolutions.  CUDNN_CHECKED_PROBE_FUSED is defined if the probe is compiled with that folder.
#pragma once

#include <cudnn.h>

#include "gpu_run.h"

namespace cudnn_checked::probe {

#ifdef CUDNN_CHECKED_PROBE_FUSED
inline constexpr bool operations_are_brought = true;
#else
inline constexpr bool operations_are_brought = false;
#endif

}  // namespace cudnn_checked::probe

// Headers of cuDNN 8 lack declarations that the graphs need.
#if defined(CUDNN_MAJOR) && CUDNN_MAJOR < 9
#undef CUDNN_CHECKED_PROBE_FUSED
#endif

namespace cudnn_checked::probe {

/// Receives the results of an operation on one GPU.
class operation_keeper {
 public:
  virtual ~operation_keeper() = default;
  /// False if nothing can run on this GPU any more.
  virtual bool keep(const run_facts& result) = 0;
  /// `what` was not computed, which is no failure.
  virtual void skip(const std::string& what, const std::string& why) = 0;
};

#ifdef CUDNN_CHECKED_PROBE_FUSED

/// The shape of the first problem of `what`.
std::string first_shape_of(fused_operation what);

/// Computes the problems of `what` that belong to `part`, on the current GPU.  `turn` counts the
/// problems of all operations.
void run_operation(cudnnHandle_t handle, fused_operation what, const share& part, int& turn,
                   operation_keeper& keeper);

#else

inline std::string first_shape_of(fused_operation) { return {}; }
inline void run_operation(cudnnHandle_t, fused_operation, const share&, int&, operation_keeper&) {}

#endif

}  // namespace cudnn_checked::probe
