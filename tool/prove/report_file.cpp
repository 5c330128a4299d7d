// SPDX-License-Identifier: BSD-3-Clause
#include "report_file.h"

#include "../core/report/proof.h"
#include "../core/system/replace_file.h"

namespace cudnn_checked::prove {

static bool replace(const arena_string& path, const arena_string& text, arena_string& error) {
  const arena_string why = replace_file(path, text);
  if (!why.empty()) error = "cannot write " + path + ": " + why;
  return why.empty();
}

bool write_report(const arena_string& path, const json& report, arena_string& error, bool untried) {
  // The report of a sweep without a proof has no level.
  const bool proves = report["level"].type() != json::kind::null;
  return replace(path, report.print(), error) &&
         (!proves || replace(path + ".proof", proof_of(report, untried), error));
}

}  // namespace cudnn_checked::prove
