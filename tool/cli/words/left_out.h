// SPDX-License-Identifier: BSD-3-Clause
//
// What a command does not look at by its nature (left_out.def).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "../../core/json/json.h"

namespace cudnn_checked::cli {

struct left_out_entry {
  const char* name;
  const char* who;    ///< "doctor run"
  const char* what;   ///< without a full stop
  const char* asked;  ///< "verify PROGRAM"
};

const std::vector<left_out_entry>& left_out_table();
/// Its row of that name.
const left_out_entry& left_out(std::string_view name);
/// "WHAT: cudnn-checked ASKED"
std::string left_out_text(const left_out_entry& entry);
json left_out_json(const left_out_entry& entry);
/// Whether that command is one of those that do not look at it.
bool is_left_out_by(const left_out_entry& entry, const std::string& command);

}  // namespace cudnn_checked::cli
