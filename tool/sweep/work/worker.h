// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/request.h"

namespace cudnn_checked::sweep {

/// Computes what the lines of `input` ask for, and says on `output` what came of it (model/line.h).
/// Returns when the input ends: then 0; another number: it cannot compute any more, and has said
/// why where it could.
int run_worker(const request& asked, int input, int output);

}  // namespace cudnn_checked::sweep
