// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep as text for a person, and as JSON for programs (schema 1, documented in docs/report.md).
#pragma once

#include <string>

#include "../../core/json/json.h"
#include "../judge/judge.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// All that a command prints: what ran, the rows, the messages, and a line that sums up.
std::string report_text(const record& of, const sweep_judgement& judged);

/// The report.  `performance` is its member of that name; null: it is left out.  The list of
/// problems is cut where the report would have more than a few MiB: those that hold a defect stay.
std::string report_json(const record& of, const sweep_judgement& judged, const json* performance);

}  // namespace cudnn_checked::sweep
