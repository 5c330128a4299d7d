// SPDX-License-Identifier: BSD-3-Clause
//
// The process in which cuDNN is opened and computes: this program once more, started by itself.
// What it sends, and what is found where it did not come to its end.
#pragma once

#include <string>
#include <vector>

#include "../../core/json/json.h"
#include "../../core/model/finding.h"
#include "../../core/model/observation.h"
#include "../../core/system/system_interface.h"
#include "../../probe/probing.h"
#include "../system/supervisor.h"

namespace cudnn_checked::cli {

/// What is found where the process that called cuDNN did not come to its end.
struct probe_death {
  program_end end;
  arena_string library;
  arena_string directory;  ///< as it was typed; empty: none was
  json last;               ///< the last message of that process; null: none came
  arena_string output;     ///< what was written to its standard output and error
};

finding finding_of(const probe_death& death);

/// The last report, with the finding and refused.
json report_of(const probe_death& death, const finding& f);

/// "  | LINE": the last lines of its output.
arena_string quoted_output(const probe_death& death);

/// What was opened and from where, the GPUs, and what was computed.
arena_string overview_of(const probe::probing& p, const system_interface& os);

/// "cudnn-checked: ok: cuDNN 9.14.0 ...": the last line, with the answer before it.
arena_string summary_of(const json& finished, const arena_string& answer);

/// The command that installs this cuDNN again in the release that it has; an advice where no
/// package is recorded.
fix_line install_again(const observation& observed, const arena_string& library);

/// The first argument of that process, which no person types; then the library, and its
/// cudnn_version.h where it has one.
inline constexpr char probe_child_word[] = "--probe-child";

bool is_probe_child(int count, char** arguments);

/// Writes a line of JSON for each step before it, and one for the end, to the pipe of the process
/// that started it: `report` (one that is not finished has "stage"), `text` (the findings, and of a
/// finished one all that is printed), `again` (what installs this cuDNN again: lines as "$command"
/// or ">advice") and `refused` (why it could not be opened).
int probe_child(int count, char** arguments);

}  // namespace cudnn_checked::cli
