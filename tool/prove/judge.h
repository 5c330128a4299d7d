// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/system/system_interface.h"

namespace cudnn_checked::prove {

/// The verb `judge` (program.cpp).  Returns the exit status.
int judge_probe(int count, const char* const* arguments, const system_interface& os);

/// The verb `watch`.
int watch_program(int count, const char* const* arguments);

}  // namespace cudnn_checked::prove
