// SPDX-License-Identifier: BSD-3-Clause
//
// Are the libraries of cuDNN what their packages have recorded, byte for byte?
#pragma once

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// Reads each library of the survey whole for whose length and SHA-256 there is a record (RECORD of
/// a wheel, conda-meta).  One that has other contents becomes file_state::altered.  A library of
/// another length is not compared: patchelf makes such, and record-differs reports it.  What was
/// compared in `before`, a survey before a repair, is not read again; null: nothing was.
void compare_contents(const system_interface& os, const survey* before, survey& all);

}  // namespace cudnn_checked::cli
