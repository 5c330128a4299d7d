// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../json/json.h"
#include "../judge/judge.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/finding.h"
#include "../model/observation.h"
#include "../model/one_line.h"
#include "../model/stamp.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// All that a report is made of.
struct report_input {
  const stamp* stamped = nullptr;
  const observation* observed = nullptr;
  const judgement* judged = nullptr;
  arena_string escape;  ///< "CUDNN_CHECKED=warn"; empty where none was used
  arena_string stage;   ///< what is being done, in a report that is not finished
  arena_string sweep;   ///< the seconds that a sweep is asked for; empty: none is
};

/// The report (schema 1, documented in docs/report.md).
arena_string report_text(const report_input& input);

/// The same as a tree, for a command that prints several reports, or a part of one.
json report_tree(const report_input& input);

/// The findings of a report alone.
json findings_tree(const arena_vector<finding>& findings);

/// The same with what the probe did: convolutions, those it skipped, and cuDNN's own checks.
arena_string probe_report_text(const report_input& input);

/// What the program has code for: "75-real", "90".
arena_vector<arena_string> compiled_architectures(const observation& observed);

/// The status of a run that computed wrong numbers.
const char* status_of_wrong_numbers();

/// The findings as the message for a person: what is wrong, the facts, what would happen, what to
/// type, the names.  `prefix` opens it: "cudnn_checked: refused".  Empty without findings of at
/// least `least` weight.
arena_string findings_message(const arena_vector<finding>& findings, arena_string prefix,
                              severity least);

/// A remark that stands below a line, "cuDNN alone is a download of 517 MB"; mostly empty.
arena_string words_behind(const fix_line& line);

/// ", operations verified (matmul, attention/forward)"; empty where there are none.
arena_string operations_summary(const arena_vector<fused_operation>& proved);

/// "cuDNN 9.14.0 · CUDA 13.0 · sm_90, convolution verified (legacy, graph; error 1.4e-07)": what
/// the probe has proved.
arena_string report_line(const report_input& input);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
