// SPDX-License-Identifier: BSD-3-Clause
//
// Looks at what of cuDNN and CUDA lies on this machine, and which of it the loader takes.
#pragma once

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// Looks at everything.
survey survey_machine(const system_interface& os);

/// Looks at the cuDNNs of one directory only, and at nothing else of the machine.
survey survey_directory(const system_interface& os, const string& directory);

}  // namespace cudnn_checked::cli
