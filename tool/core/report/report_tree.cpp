// SPDX-License-Identifier: BSD-3-Clause
#include "../json/json_tree_writer.h"
#include "write_report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

json report_tree(const report_input& input) {
  json_tree_writer out;
  write_report(out, input);
  return out.take();
}

json findings_tree(const arena_vector<finding>& findings) {
  json_tree_writer out;
  write_findings(out, nullptr, findings);
  return out.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
