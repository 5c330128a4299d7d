// SPDX-License-Identifier: BSD-3-Clause
//
// What the loader makes of a program's start.
#include "judge.h"
#include "rule_lists.h"
#include "rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void apply_start_rules(rule_run& run) {
  run.apply(rule_cannot_start, rule_start_missing, rule_start_corrupt, rule_start_symbols);
}

judgement judge_start(const stamp& stamped, const observation& observed,
                      const judge_options& options) {
  judgement result = judged(apply_start_rules, subject::program, stamped, observed, options);
  result.reached = stamped.proved;
  return result;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
