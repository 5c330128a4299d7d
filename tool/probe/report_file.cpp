// SPDX-License-Identifier: BSD-3-Clause
#include "report_file.h"

#include "../core/report/proof.h"

namespace cudnn_checked::probe {

bool write_report(const arena_string& path, const json& report, arena_string& error) {
  // A sweep alone proves nothing.
  const bool proves = report["level"].type() != json::kind::null;
  return replace_text(path, report.print(), error) &&
         (!proves || replace_text(path + ".proof", proof_of(report), error));
}

}  // namespace cudnn_checked::probe
