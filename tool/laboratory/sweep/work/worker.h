// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

#include "../../../core/model/version.h"
#include "../model/problem.h"
#include "../model/result.h"

namespace cudnn_checked::sweep {

/// Says which plans of a problem are left out.
using plan_filter = std::function<bool(const problem&, const plan&)>;
/// Makes it of the text of an errata file; empty, with the reason, if it cannot.
using filter_maker = plan_filter (*)(const std::string& errata, const version& cudnn,
                                     std::string& error);

/// Computes what the lines of `input` ask for, and says on `output` what came of it (model/line.h).
/// Returns when the input ends: then 0; another number: it cannot compute any more, and has said
/// why where it could.  Without `make_filter` no request has an errata file.
int run_worker(const request& asked, int input, int output, filter_maker make_filter);

}  // namespace cudnn_checked::sweep
