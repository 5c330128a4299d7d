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
#include "probe_child.h"

namespace cudnn_checked::cli {

/// What is found where the process that called cuDNN did not come to its end.
struct probe_death {
  program_end end;
  arena_string library;
  arena_string directory;          ///< as it was typed; empty: none was
  json last;                       ///< the last message of that process; null: none came
  arena_string output;             ///< what was written to its standard output and error
  unsigned long long dropped = 0;  ///< bytes of it that were not kept
};

finding finding_of(const probe_death& death);

/// The last report, with the finding and refused.
json report_of(const probe_death& death, const finding& f);

/// "  | LINE": the last lines of its output.
arena_string quoted_output(const probe_death& death);

/// What was opened and from where, the GPUs, and what was computed.
arena_string overview_of(const probe::probing& p, const system_interface& os);

/// "convolutions", and below it each kind on each GPU, and what was not run; the same of
/// "operations" where any were asked for.
arena_string computed_text(const observation& observed, const judgement& judged);

/// "cudnn-checked: ok: cuDNN 9.14.0 ...": the last line, with the answer before it.
arena_string summary_of(const json& finished, const arena_string& answer);

/// The command that installs this cuDNN again in the release that it has; an advice where no
/// package is recorded.
fix_line install_again(const observation& observed, const arena_string& library);

}  // namespace cudnn_checked::cli
