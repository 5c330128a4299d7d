// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// Fills header, header_path and headers of an install from the headers beside its libraries:
/// cudnn.h, and what of cuDNN it includes.
void read_headers(const system_interface& os, cudnn_install& install);

}  // namespace cudnn_checked::cli
