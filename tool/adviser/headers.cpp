// SPDX-License-Identifier: BSD-3-Clause
#include "../core/judge/rules/survey_rules.h"
#include "../core/observe/included_headers.h"
#include "again.h"
#include "messages.h"
#include "trial.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace adviser {

reply judge_headers(const request& asked, const system_interface& os) {
  vector<cudnn_header> headers;
  follow_headers(os, asked["include"], headers);
  finding f(finding_id::header_mixed);
  if (!tell_mixed_headers(headers, asked["library"], f)) return {};
  f.fix = again_or_new(asked, os, asked["header"]);
  try_cudnn(asked, os, f.fix);
  reply told;
  told.findings.push_back(f);
  return told;
}

}  // namespace adviser
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
