// SPDX-License-Identifier: BSD-3-Clause
//
// A report in one line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "../model/one_line.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static arena_string joined(const json& list) {
  arena_string text;
  for (const json& item : list.elements()) text += (text.empty() ? "" : " ") + item.text();
  return text;
}

/// "legacy, graph; error fp32 1.4e-07, fp16 2.1e-04": the largest relative error of each type.
static arena_string convolution_summary(const json& convolutions) {
  arena_string apis;
  arena_string errors;
  for (const char* api : {"legacy", "graph"}) {
    for (const json& c : convolutions.elements()) {
      if (c["api"].text() != api) continue;
      apis += (apis.empty() ? "" : ", ") + arena_string(api);
      break;
    }
  }
  for (const char* type : {"fp32", "fp16"}) {
    double largest = -1;
    for (const json& c : convolutions.elements()) {
      if (c["type"].text() != type) continue;
      largest = std::max(largest, std::strtod(c["relative_error"].text().c_str(), nullptr));
    }
    if (largest < 0) continue;
    char text[48];
    std::snprintf(text, sizeof text, "%s%s %.1e", errors.empty() ? "" : ", ", type, largest);
    errors += text;
  }
  return apis + "; error " + errors;
}

/// ", kernel verified (nvcc 13.0.88, sm_90)": with the code that ran.
static arena_string kernel_summary(const json& kernel) {
  arena_string text;
  for (const json& run : kernel["runs"].elements()) {
    if (run["status"].text() != "ok") continue;
    if (text.empty()) text = ", kernel verified (" + kernel["compiler"].text();
    const arena_string code = run["code"].text();
    const bool known = (text + ",").find(", " + code + ",") != arena_string::npos;
    if (!code.empty() && !known) text += ", " + code;
  }
  return text.empty() ? text : text + ")";
}

arena_string report_line(const json& report) {
  const json& triple = report["triple"];
  arena_string line = "cuDNN " + triple["cudnn"].text();
  // If cuDNN was opened and not linked, nothing was compiled with headers of CUDA.
  const arena_string cuda = triple["cuda"].text();
  if (!cuda.empty()) line += " \xC2\xB7 CUDA " + cuda;
  const json& convolutions = report["convolutions"];
  if (report["level"].text() == "ran") {
    return one_line(line + " \xC2\xB7 " + joined(triple["architectures"]) +
                    ", convolution verified (" + convolution_summary(convolutions) + ")" +
                    operations_summary(report) + kernel_summary(report["kernel"]));
  }
  line += " \xC2\xB7 " + report["level"].text();
  for (const json& item : report["findings"].elements()) {
    if (item["name"].text() == to_string(finding_id::not_verified))
      line += ", " + item["summary"].text();
  }
  return one_line(line);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
