// SPDX-License-Identifier: BSD-3-Clause
//
// /DELAYLOAD.
#include "../late_imports.h"

#include "../../core/loader/program_start.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void check_late_imports(cudnn_check& c) {
  if (c.search.file(c.search.program_path()).delayed.empty()) return;
  observe_start(c.search, c.observed);
  if (!start_ends_program(c.observed.start)) return;
  c.judged.conclude(judge_start(c.stamped, c.observed, c.options).findings);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
