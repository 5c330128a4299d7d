// SPDX-License-Identifier: BSD-3-Clause
//
// libcudnn_engines_precompiled and libcudnn_engines_runtime_compiled: what computes.
#include "convolution.h"
#include "services.h"

SIMULATED_EXPORT void cudnn_simulated_convolve(const simulated::convolution* what,
                                               const simulated::arguments* where) {
  // Asked of the graph library of this very release; with another one this file is not loaded.
  if (simulated::services_of_release() != nullptr) simulated::convolve(*what, *where);
}
