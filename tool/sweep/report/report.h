// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep as text for a person, and as JSON for programs (schema 1, documented in docs/report.md).
#pragma once

#include <cstddef>
#include <string>

#include "../../core/json/json.h"
#include "../judge/judge.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// All that a command prints: what ran, the rows, the messages, and a line that sums up.
/// `errata`: what became of the errata file, if there was one to write.
std::string report_text(const record& of, const sweep_judgement& judged,
                        const std::string& errata = {});

/// The report.  Where its list of problems would be longer than `most` bytes, problems without a
/// defect are left out of it, the last ones first, and counted.
std::string report_json(const record& of, const sweep_judgement& judged, json&& errata = {},
                        std::size_t most = std::size_t{6} << 20);

}  // namespace cudnn_checked::sweep
