// SPDX-License-Identifier: BSD-3-Clause
//
// A GPU that computes wrong what others of its kind compute right.
#pragma once

#include "../../core/model/finding.h"
#include "../../core/model/vector.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// Compares the problems that a second GPU has computed again.  What a defective GPU has computed
/// says nothing of cuDNN: it is replaced by what the other one has, or left out; record.gpus says
/// which it is.  Then `again` is empty, and problems of each GPU are counted.
void set_defective_gpus_apart(record& seen);

/// Of each GPU that is defective, or that did not compute at all.
vector<finding> gpu_findings(const record& of);

}  // namespace cudnn_checked::sweep
