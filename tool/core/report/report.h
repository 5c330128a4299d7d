// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../json/json.h"
#include "../judge/judge.h"
#include "../model/finding.h"
#include "../model/observation.h"
#include "../model/one_line.h"
#include "../model/stamp.h"
#include "../model/string.h"
#include "../model/vector.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What is reported: a report is made of nothing else.
struct report_input {
  const stamp* stamped = nullptr;
  const observation* observed = nullptr;
  const judgement* judged = nullptr;
  string escape;  ///< "CUDNN_CHECKED=warn"; empty where none was used
  string stage;   ///< what is being done, in a report that is not finished
};

/// The report (schema 1, documented in docs/report.md).
string report_text(const report_input& input);

/// The same as a tree.
json make_report(const report_input& input);

/// The same with what the probe did: convolutions, those it skipped, and cuDNN's own checks.
json make_probe_report(const report_input& input);

/// The status of a run that computed wrong numbers.
const char* status_of_wrong_numbers();

/// The findings as the message for a person: what is wrong, the facts, what would happen, what to
/// type, the names.  `prefix` opens it: "cudnn_checked: refused".  Empty without findings of at
/// least `least` weight.
string findings_message(const vector<finding>& findings, string prefix, severity least);

/// "cuDNN 9.14.0 · CUDA 13.0 · sm_90, convolution verified (legacy, graph; error 1.4e-07)".
string report_line(const json& report);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
