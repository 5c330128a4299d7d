// SPDX-License-Identifier: BSD-3-Clause
//
// A report of a sweep, read back.
#pragma once

#include <string>

#include "../../core/json/json.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// The record that `report` was made of, and the release of cudnn-checked that wrote it.  What a
/// report does not repeat of a plan (its bytes of workspace, for example) is only there for plans
/// that have a defect.  False where this is no report of a sweep, one of another schema, or a
/// damaged one; `error` then has why, without the name of the file.
bool read_record(const json& report, record& result, std::string& package, std::string& error);

}  // namespace cudnn_checked::sweep
