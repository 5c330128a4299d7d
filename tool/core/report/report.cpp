// SPDX-License-Identifier: BSD-3-Clause
#include "../json/json_writer.h"
#include "write_report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string report_text(const report_input& input) {
  json_writer out;
  write_report(out, input);
  return out.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
