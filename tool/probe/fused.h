// SPDX-License-Identifier: BSD-3-Clause
//
// Whether this probe can compute more than single convolutions: CUDNN_CHECKED_PROBE_FUSED, which is
// defined where that is asked for.
#pragma once

#include <cudnn.h>

// Headers of cuDNN 8 lack words that the graphs need.
#if defined(CUDNN_MAJOR) && CUDNN_MAJOR < 9
#undef CUDNN_CHECKED_PROBE_FUSED
#endif

#ifdef CUDNN_CHECKED_PROBE_FUSED
#include "fused_run.h"
#endif

namespace cudnn_checked::probe {

#ifdef CUDNN_CHECKED_PROBE_FUSED
constexpr bool computes_fused = true;
#else
constexpr bool computes_fused = false;
#endif

}  // namespace cudnn_checked::probe
