// SPDX-License-Identifier: BSD-3-Clause
//
// Sub-libraries without a function of their own here: heuristic, engines_tensor_ir, ext, and the
// ones for training of cuDNN 8.
#include "release.h"

#ifdef SIMULATED_NEEDS_GRAPH
#include "own_services.h"
SIMULATED_EXPORT const void* cudnn_simulated_part() { return SIMULATED_PATCH_SYMBOL(); }
#endif

#ifdef SIMULATED_OWN_WORD
SIMULATED_EXPORT const unsigned SIMULATED_OWN_WORD = SIMULATED_WORD;
#endif

#ifdef SIMULATED_CHECK
// Its own release against that of the sub-library below it.
extern "C" const unsigned SIMULATED_CHECKED_WORD;
SIMULATED_EXPORT cudnnStatus_t SIMULATED_CHECK() {
  SIMULATED_ENTER_NAMED(cudnnStatus_t, SIMULATED_CHECK);
  return simulated::status_of_release(SIMULATED_CHECKED_WORD == SIMULATED_WORD ? 0 : 1002);
}
#endif

/// Which release a file is that another one loads without a check by the loader.
SIMULATED_EXPORT unsigned cudnn_simulated_release() { return SIMULATED_WORD; }
