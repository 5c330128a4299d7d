// SPDX-License-Identifier: BSD-3-Clause
//
// The GPUs that a release of cuDNN computes on; a compute capability is written 75 for 7.5.
#pragma once

#include "../../model/architecture.h"
#include "../../model/version.h"
#include "../../namespace.h"
#include "rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The oldest GPU; 0 where it is not known.
int lowest_gpu(version cudnn, int cuda_major);

/// The newest GPU that it has code for; 0 where it is not known.
int newest_gpu(version cudnn);

inline int number_of(const architecture& a) { return a.major * 10 + a.minor; }

/// "8.7": the last release of cuDNN that computes on it.
const char* last_release_for(const gpu& device);

/// Tells that cuDNN does not compute on that GPU, and leaves the fix to the caller.
finding& add_below_cudnn(const rule_input& input, const gpu& device, int lowest,
                         arena_vector<finding>& findings);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
