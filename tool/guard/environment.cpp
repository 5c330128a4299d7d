// SPDX-License-Identifier: BSD-3-Clause
#include "environment.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

guard_environment read_guard_environment(const system_interface& os) {
  guard_environment result;
  os.variable("CUDNN_CHECKED_REPORT", result.report_path);
  std::string value;
  if (!os.variable("CUDNN_CHECKED", value) || value.empty() || value == "enforce") return result;
  result.escape = "CUDNN_CHECKED=" + value;
  if (value == "warn") {
    result.asked = guard_environment::mode::warn;
  } else if (value == "off") {
    result.asked = guard_environment::mode::off;
  } else {
    result.asked = guard_environment::mode::invalid;
  }
  return result;
}

std::string invalid_mode_message(const guard_environment& environment) {
  return "cudnn_checked: error: " + environment.escape +
         ": not a mode\n"
         "  CUDNN_CHECKED=enforce   refuse to start on a cuDNN that cannot be right (the default)\n"
         "  CUDNN_CHECKED=warn      say it and go on\n"
         "  CUDNN_CHECKED=off       do not look\n";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
