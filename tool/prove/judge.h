// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::prove {

/// The verb `judge` (program.cpp).  Returns the exit status.
int judge_probe(int count, const char* const* arguments, const system_interface& os);

/// The findings of a run that `judge_probe` with the same arguments has refused, from the lines of
/// the probe that it has kept in REPORT.told; keys of others are passed over.  None where that file
/// cannot be read.
arena_vector<finding> rejudge_saved_lines(int count, const char* const* arguments,
                                          const system_interface& os);

/// The verb `watch`.
int watch_program(int count, const char* const* arguments);

}  // namespace cudnn_checked::prove
