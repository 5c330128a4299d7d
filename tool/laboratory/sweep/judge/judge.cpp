// SPDX-License-Identifier: BSD-3-Clause
#include "judge.h"

#include <algorithm>

#include "../../../core/judge/rules/known_defects.h"
#include "../model/engine.h"

namespace cudnn_checked::sweep {

/// What the reach of a failure weighs.  A result that only changes from run to run is still right,
/// and a call that fails reports it: neither is an error, whoever offers it.
/// Of a problem that nobody has looked at before, the reference alone proves nothing.
static severity weight_of(const row& of, bool random) {
  if (of.how == reach::by_index || of.unbuilt_only) return severity::note;
  if (of.shown == proof::disputed) return severity::unknown;
  if (random && of.shown == proof::by_reference_only) return severity::unknown;
  const bool mild = of.worst == outcome::changing || of.worst == outcome::failed;
  return of.how == reach::first && !mild ? severity::error : severity::warning;
}

/// Whether a defect that is known is that of the row.
static bool is_defect_of(const known_defect& defect, const row& of) {
  if (!is_network(of.what)) {
    const std::string uses =
        std::string("autotune/") + to_string(of.what) + "/" + layout_name(of.what, of.layout);
    return defect.engine >= 0 && defect.engine == of.engine && uses == defect.operations;
  }
  // Those that are known are of this one algorithm.
  const std::string uses =
      std::string(to_string(of.what)) + "/" + cudnn_checked::to_string(of.type);
  return network_engine_of(of.engine).algorithm == compute::recurrent_algorithm::small_h &&
         std::string(defect.operations).find(uses) != std::string::npos;
}

static void look_up(const machine& on, row& of) {
  for (const known_defect& defect : known_defects()) {
    if (!is_defect_of(defect, of) || !is_in_release(defect, on.cudnn)) continue;
    if (on.capability < defect.first_gpu || on.capability > defect.last_gpu) continue;
    of.known_as = defect.id;
    of.known_from = defect.source;
  }
}

static bool is_first_of_engine(const std::vector<row>& rows, std::size_t number) {
  for (std::size_t i = 0; i < number; ++i) {
    if (rows[i].what == rows[number].what && rows[i].engine == rows[number].engine) return false;
  }
  return true;
}

sweep_judgement judge_record(const record& of, const follow_up& next) {
  sweep_judgement made;
  made.rows = rows_of(of);
  made.inexact = inexact_engines_of(of);
  for (row& each : made.rows) {
    each.weight = weight_of(each, of.asked.random);
    look_up(of.on, each);
  }
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    if (is_first_of_engine(made.rows, i)) {
      made.findings.push_back(engine_finding(of, made.rows, i, next));
    }
  }
  for (const finding& f : gpu_findings(of)) made.findings.push_back(f);
  sort_by_weight(made.findings);
  made.result = verdict_of(made.findings);
  const bool nothing = !of.why_not.empty() ||
                       none_of(of.results, [](const result& r) { return r.with.engine >= 0; });
  if (nothing && made.result == verdict::ok) made.result = verdict::unknown;
  return made;
}

}  // namespace cudnn_checked::sweep
