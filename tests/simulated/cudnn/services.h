// SPDX-License-Identifier: BSD-3-Clause
//
// What the graph library (in cuDNN 8: ops_infer) does for the others.
#pragma once

#include "convolution.h"
#include "release.h"

namespace simulated {

struct services {
  /// Remembers the text for cudnnGetLastErrorString and gives the status in this release's numbers.
  cudnnStatus_t (*fail)(int status, const char* text);
  /// Loads the engine libraries once; a status where the set cannot compute.
  int (*load_engines)();
  /// Is the precompiled engines' library, and the heuristic, of this release there?
  bool (*has_precompiled)();
  bool (*has_heuristic)();
  /// Is the GPU of this handle one that this release computes on?
  bool (*is_supported)(cudnnHandle_t handle);
  /// Computes with an engine library, faults of `kind` ("legacy") applied; gives a status.
  int (*compute)(const char* api, bool precompiled, const convolution& what,
                 const arguments& where);
};

}  // namespace simulated

extern "C" const simulated::services* cudnn_simulated_services();

namespace simulated {

// The engine libraries: in cuDNN 9 loaded at the first tensor descriptor, in cuDNN 8 a part of the
// library itself.
int load_engines();
bool has_precompiled();
bool has_heuristic();
int compute(const char* api, bool precompiled, const convolution& what, const arguments& where);

/// The last error's text together with the status.
inline int failed(int status, const char* text) {
  cudnn_simulated_services()->fail(status, text);
  return status;
}

}  // namespace simulated
