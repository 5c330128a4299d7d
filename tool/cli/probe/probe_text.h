// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../core/model/observation.h"
#include "../../core/system/system_interface.h"
#include "../../probe/probing.h"

namespace cudnn_checked::cli {

/// What was opened and from where, the GPUs, and what was computed.
string overview_of(const probe::probing& p, const system_interface& os);

/// Each finding as a message of its own, opened by its weight, with an empty line before it.
string messages_of(const vector<finding>& findings);

/// "cudnn-checked: ok: cuDNN 9.14.0 ...": the last line, with the answer before it.
string summary_of(const json& finished, const string& answer);

/// The command that installs this cuDNN again in the release that it has; an advice where no
/// package is recorded.
fix_line install_again(const observation& observed, const string& library);

}  // namespace cudnn_checked::cli
