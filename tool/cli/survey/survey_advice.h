// SPDX-License-Identifier: BSD-3-Clause
//
// What is wrong with what a survey has seen, and what is advised.
#pragma once

#include "../../core/judge/survey/survey_rules.h"
#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"
#include "survey_machine.h"

namespace cudnn_checked::cli {

survey_judgement judged_survey(const survey& all, const survey_scope& scope);

/// Replaces the fixes of what was judged, those of the users in the survey included: each command
/// is tried on a view of the machine first.
void advise_on(const system_interface& os, const survey_scope& scope, survey& all,
               survey_judgement& judged);

}  // namespace cudnn_checked::cli
