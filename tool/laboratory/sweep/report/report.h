// SPDX-License-Identifier: BSD-3-Clause
//
// A sweep as text for a person, and as JSON for programs (schema 1, documented in docs/report.md)
// and back.
#pragma once

#include <cstddef>
#include <string>

#include "../../../core/json/json.h"
#include "../judge/judge.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// All that a command prints: what ran, the rows, the messages, and a line that sums up.
/// `errata`: what became of the errata file, if there was one to write.
std::string report_text(const record& of, const sweep_judgement& judged,
                        const std::string& errata = {});

/// The report.  If its list of problems would be longer than `most` bytes, problems without a
/// defect are left out of it, the last ones first, and counted.
std::string report_json(const record& of, const sweep_judgement& judged, json&& errata = {},
                        std::size_t most = std::size_t{6} << 20);

/// The record that `report` was made of, and the release of cudnn-checked that wrote it.  What a
/// report does not repeat of a plan (its bytes of workspace, for example) is only there for plans
/// that have a defect.  False if this is no report of a sweep, one of another schema, or a
/// damaged one; `error` then has why, without the name of the file.
bool read_record(const json& report, record& result, std::string& package, std::string& error);

}  // namespace cudnn_checked::sweep
