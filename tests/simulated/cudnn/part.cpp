// SPDX-License-Identifier: BSD-3-Clause
//
// Sub-libraries without a function of their own here: heuristic, engines_tensor_ir, ext, and the
// ones for training of cuDNN 8.
#include "release.h"

#ifdef SIMULATED_CHECK
// Its own release against that of the sub-library below it.
extern "C" const unsigned SIMULATED_CHECKED_WORD;
SIMULATED_EXPORT cudnnStatus_t SIMULATED_CHECK() {
  SIMULATED_ENTER_NAMED(cudnnStatus_t, SIMULATED_CHECK);
  return simulated::status_of_release(SIMULATED_CHECKED_WORD == simulated::own_release.word ? 0
                                                                                            : 1002);
}
#endif

/// Which release a file is that another one loads without a check by the loader.
SIMULATED_EXPORT unsigned cudnn_simulated_release() { return simulated::own_release.word; }
