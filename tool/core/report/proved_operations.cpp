// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static void add_devices(const json& runs, arena_vector<arena_string>& devices) {
  for (const json& run : runs.elements()) {
    add_once(run["device"].text(), devices);
  }
}

/// All of its runs there are right, and there is one.
static bool is_right_on(const json& runs, const char* operation, const arena_string& device) {
  bool ran = false;
  for (const json& run : runs.elements()) {
    if (run["operation"].text() != operation || run["device"].text() != device) continue;
    if (run["status"].text() != "ok") return false;
    ran = true;
  }
  return ran;
}

arena_vector<arena_string> proved_operations(const json& report) {
  const json& runs = report["operations"];
  arena_vector<arena_string> devices;
  add_devices(report["convolutions"], devices);
  add_devices(runs, devices);
  arena_vector<arena_string> proved;
  for (const fused_operation one : fused_operations) {
    const char* const name = to_string(one);
    const auto is_right = [&](const arena_string& device) {
      return is_right_on(runs, name, device);
    };
    const bool all = all_of(devices, is_right);
    if (all && !devices.empty()) proved.push_back(name);
  }
  return proved;
}

arena_string operations_summary(const json& report) {
  const arena_string names = joined(proved_operations(report), ", ");
  return names.empty() ? names : ", operations verified (" + names + ")";
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
