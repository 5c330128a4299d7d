// SPDX-License-Identifier: BSD-3-Clause
//
// `sweep --errata FILE`.
#pragma once

#include <string>

#include "../../sweep/errata/errata_outcome.h"
#include "../../sweep/judge/judge.h"

namespace cudnn_checked::cli {

/// Adds rules for what failed to the file, and computes it again under them.
sweep::errata_outcome write_errata(const std::string& path, const sweep::record& seen,
                                   const sweep::sweep_judgement& judged);

/// Programs read one errata file.  A note where CUDNN_ERRATA_JSON_FILE names another one that is
/// there; empty where it does not.
std::string note_of_errata(const std::string& path);

}  // namespace cudnn_checked::cli
