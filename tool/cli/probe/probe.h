// SPDX-License-Identifier: BSD-3-Clause
//
// What is said of a cuDNN that computed, and of one whose process did not come to its end.
#pragma once

#include <string>
#include <utility>

#include "../../core/model/finding.h"
#include "../../core/model/observation.h"
#include "../../core/report/report.h"
#include "../../core/system/system_interface.h"
#include "../../prove/proving.h"
#include "../../prove/run_program.h"
#include "probe_child.h"

namespace cudnn_checked::cli {

/// What is found where the process that called cuDNN did not come to its end.
struct probe_death {
  explicit probe_death(fix_line again_of_cudnn) : again(std::move(again_of_cudnn)) {}

  prove::program_run run;
  prove::probe_step step;
  arena_string library;
  arena_string directory;  ///< as it was typed; empty: none was
  version number;          ///< of cuDNN; unknown where that is not known
  fix_line again;          ///< what installs this cuDNN again
};

finding finding_of(const probe_death& death);

/// "  | LINE": the last lines of its output.
arena_string quoted_output(const probe_death& death);

/// What was opened and from where, the GPUs, and what was computed.
arena_string overview_of(const prove::proving& p, const system_interface& os);

/// "convolutions", and below it each kind on each GPU, and what was not run; the same of
/// "operations" where any were asked for.
arena_string computed_text(const observation& observed, const judgement& judged);

/// "cudnn-checked: ok: cuDNN 9.14.0 ...": the last line, with the answer before it.
arena_string summary_of(const report_input& finished, const arena_string& answer);

/// The command that reinstalls this cuDNN in its own release; an advice where no package is
/// recorded.
fix_line reinstall_of(const observation& observed, const arena_string& library);

}  // namespace cudnn_checked::cli
