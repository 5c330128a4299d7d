// SPDX-License-Identifier: BSD-3-Clause
//
// What doctor advises: each command is tried on a view of the machine before it is printed.
#pragma once

#include "../../core/judge/rules/survey_rules.h"
#include "../survey/survey_machine.h"

namespace cudnn_checked::cli {

survey_judgement judged_survey(const survey& all, const survey_scope& scope);

/// Replaces the fixes of what was judged.
void advise_on(const system_interface& os, const survey_scope& scope, const survey& all,
               survey_judgement& judged);

}  // namespace cudnn_checked::cli
