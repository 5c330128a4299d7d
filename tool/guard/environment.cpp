// SPDX-License-Identifier: BSD-3-Clause
#include "environment.h"

#include "../core/model/format.h"
#include "../core/model/nearest_word.h"
#include "../core/model/paths.h"
#include "../core/model/platform_words.h"
#include "../core/model/stamp.h"
#include "../core/report/report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string guard_of_build(const char* stamp_text) {
  stamp stamped;
  arena_string error;
  (void)parse_stamp(stamp_text, stamped, error);
  return stamped.guard;
}

arena_string escape_of_build(arena_string of_build) {
  if (of_build == "off") return "CuDNNChecked_GUARD=OFF";
  return of_build == "warn" ? "CuDNNChecked_GUARD=WARN" : "";
}

guard_environment read_guard_environment(const system_interface& os, arena_string of_build) {
  guard_environment result;
  os.variable("CUDNN_CHECKED_REPORT", result.report_path);
  arena_string value;
  if (!os.variable("CUDNN_CHECKED", value) || value.empty()) {
    result.escape = escape_of_build(of_build);
    if (result.escape.empty()) return result;
    result.asked = of_build == "off" ? guard_environment::mode::off : guard_environment::mode::warn;
    return result;
  }
  const arena_string word = lower_case(value);
  if (word == "enforce") return result;
  result.escape = "CUDNN_CHECKED=" + value;
  result.asked = word == "warn"  ? guard_environment::mode::warn
                 : word == "off" ? guard_environment::mode::off
                                 : guard_environment::mode::invalid;
  return result;
}

static constexpr struct {
  char mode[8];
  char meaning[63];
} mode_meanings[] = {{"enforce", "refuse to start on a cuDNN that cannot be right (the default)"},
                     {"warn", "report it and continue"},
                     {"off", "do not check"}};

/// "; did you mean warn?"; empty where none is near.
static arena_string mode_meant(const guard_environment& environment) {
  const arena_string value = environment.escape.substr(environment.escape.find('=') + 1);
  const arena_string nearest = nearest_word(value, {"enforce", "warn", "off"});
  return nearest.empty() ? arena_string() : format("; did you mean %s?", nearest);
}

arena_string invalid_mode_message(const guard_environment& environment) {
  arena_string text = "cudnn_checked: error: " + one_line(environment.escape) + ": not a mode" +
                      mode_meant(environment) + "\n";
  for (const auto& row : mode_meanings) {
    const arena_string column = arena_string(row.mode) + "       ";
    text += "  CUDNN_CHECKED=" + column.substr(0, 7) + "   " + row.meaning + '\n';
  }
  return text + "  fix: " + unset_command("CUDNN_CHECKED") + '\n';
}

finding invalid_mode_finding(const guard_environment& environment) {
  finding f(finding_id::bad_input);
  f.summary = "CUDNN_CHECKED has a value that is not known" + mode_meant(environment);
  f.found = {"value", environment.escape.substr(environment.escape.find('=') + 1), "CUDNN_CHECKED"};
  for (const auto& row : mode_meanings) f.more.push_back({row.mode, row.meaning, ""});
  f.because = why<finding_id::bad_input>();
  tell(f, "$%s\n>set CUDNN_CHECKED to one of the three", unset_command("CUDNN_CHECKED"));
  return f;
}

arena_string report_not_written(arena_string path, arena_string reason) {
  return format("cannot write the report to %s (CUDNN_CHECKED_REPORT): %s", one_line(path), reason);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
