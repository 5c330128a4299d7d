// SPDX-License-Identifier: BSD-3-Clause
//
// For a check that needs more than a view can show: a process that runs, a probe that computes.
// Part of it can be made again on a view.
#pragma once

#include "../core/model/finding.h"

namespace cudnn_checked::repairs {

/// `told` with the fixes that the same faults have in `tried`; of the others the commands are
/// untried.
void take_fixes(const vector<finding>& tried, vector<finding>& told);

}  // namespace cudnn_checked::repairs
