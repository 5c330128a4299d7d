// SPDX-License-Identifier: BSD-3-Clause
//
// A report as text for a person.
#include <cstdio>
#include <cstdlib>

#include "../json/json_writer.h"
#include "../model/format.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Characters on a terminal: bytes that begin a UTF-8 sequence.
static std::size_t display_width(const string& text) {
  std::size_t width = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++width;
  }
  return width;
}

static string padded(const string& text, std::size_t width) {
  const std::size_t have = display_width(text);
  return have < width ? text + string(width - have, ' ') : text;
}

/// The facts of a finding in columns; the width of a column is that of its longest text.
struct evidence_columns {
  std::size_t label = 0;
  std::size_t value = 0;

  void measure(const fact& line) {
    if (line.label.empty()) return;
    label = std::max(label, display_width(line.label) + 1);
    if (!line.where.empty()) value = std::max(value, display_width(line.value));
  }

  void append(string& out, const fact& line) const {
    if (line.label.empty()) return;
    const bool where = !line.where.empty();
    out += one_line(format("  %s  %s%s%s", padded(format("%s:", line.label), label),
                           where ? padded(line.value, value) : line.value, where ? "   " : "",
                           line.where)) +
           '\n';
  }
};

static void append_evidence(string& out, const finding& f) {
  evidence_columns columns;
  columns.measure(f.expected);
  columns.measure(f.found);
  for (const fact& line : f.more) columns.measure(line);
  columns.append(out, f.expected);
  columns.append(out, f.found);
  for (const fact& line : f.more) columns.append(out, line);
}

string findings_message(const vector<finding>& findings, const string& prefix, severity least) {
  string out;
  for (const finding& f : findings) {
    if (f.weight < least) continue;
    out += format("%s: %s\n", out.empty() ? prefix : string("and"), one_line(f.summary));
    append_evidence(out, f);
    out += format("  %s\n", one_line(f.because));
    const char* lead = "fix";
    for (const fix_line& line : f.fix) {
      const bool untried = line.tried == trial_result::unknown;
      out += format("  %s: %s\n", untried ? "try" : lead, one_line(line.text));
      lead = " or";
    }
    out += format("  [%s]\n", to_string(f.id));
  }
  return out;
}

static string joined(const json& list) {
  string text;
  for (const json& item : list.elements()) text += (text.empty() ? "" : " ") + item.text();
  return text;
}

/// "legacy, graph; error fp32 1.4e-07, fp16 2.1e-04": the largest relative error of each type.
static string convolution_summary(const json& convolutions) {
  string apis;
  string errors;
  for (const char* api : {"legacy", "graph"}) {
    for (const json& c : convolutions.elements()) {
      if (c["api"].text() != api) continue;
      apis += (apis.empty() ? "" : ", ") + string(api);
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
static string kernel_summary(const json& kernel) {
  string text;
  for (const json& run : kernel["runs"].elements()) {
    if (run["status"].text() != "ok") continue;
    if (text.empty()) text = ", kernel verified (" + kernel["compiler"].text();
    const string code = run["code"].text();
    const bool known = (text + ",").find(", " + code + ",") != string::npos;
    if (!code.empty() && !known) text += ", " + code;
  }
  return text.empty() ? text : text + ")";
}

string report_line(const json& report) {
  const json& triple = report["triple"];
  string line = "cuDNN " + triple["cudnn"].text();
  // Where cuDNN was opened, nothing was compiled with headers of CUDA.
  const string& cuda = triple["cuda"].text();
  if (!cuda.empty()) line += " \xC2\xB7 CUDA " + cuda;
  const json& convolutions = report["convolutions"];
  if (report["level"].text() == "ran") {
    return one_line(line + " \xC2\xB7 " + joined(triple["architectures"]) +
                    ", convolution verified (" + convolution_summary(convolutions) + ")" +
                    kernel_summary(report["kernel"]));
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
