// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../core/json/json.h"
#include "../../core/model/finding.h"
#include "../process/supervisor.h"

namespace cudnn_checked::cli {

/// What is found where the process that called cuDNN did not come to its end.
struct probe_death {
  program_end end;
  string library;
  string directory;  ///< as it was typed; empty: none was
  json last;         ///< the last message of that process; null: none came
  string output;     ///< what was written to its standard output and error
};

finding finding_of(const probe_death& death);

/// The last report, with the finding and refused.
json report_of(const probe_death& death, const finding& f);

/// "  | LINE": the last lines of its output.
string quoted_output(const probe_death& death);

}  // namespace cudnn_checked::cli
