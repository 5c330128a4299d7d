// SPDX-License-Identifier: BSD-3-Clause
//
// A report as text for a person, made from the tree and nothing else.
#include <cstdio>
#include <cstdlib>

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

static void append_evidence(string& out, const json& evidence) {
  std::size_t label_width = 0;
  std::size_t value_width = 0;
  for (const json& line : evidence.elements()) {
    label_width = std::max(label_width, display_width(line["label"].text()) + 1);
    if (line["where"].text().empty()) continue;
    value_width = std::max(value_width, display_width(line["value"].text()));
  }
  for (const json& line : evidence.elements()) {
    out += "  " + padded(line["label"].text() + ":", label_width) + "  ";
    const string& where = line["where"].text();
    const string& value = line["value"].text();
    out += where.empty() ? value : padded(value, value_width) + "   " + where;
    out += '\n';
  }
}

static int weight_of(const string& name) {
  for (int weight = static_cast<int>(severity::error); weight > 0; --weight) {
    if (name == to_string(static_cast<severity>(weight))) return weight;
  }
  return 0;
}

static string message_of(const json& findings, const string& prefix, severity least) {
  string out;
  for (const json& item : findings.elements()) {
    if (weight_of(item["severity"].text()) < static_cast<int>(least)) continue;
    out += (out.empty() ? prefix + ": " : "and: ") + item["summary"].text() + '\n';
    append_evidence(out, item["evidence"]);
    out += "  " + item["because"].text() + '\n';
    out += "  fix: " + item["fix"].text() + '\n';
    out += "  [" + item["name"].text() + "]\n";
  }
  return out;
}

string report_message(const json& report, const string& prefix, severity least) {
  return message_of(report["findings"], prefix, least);
}

string findings_message(const vector<finding>& findings, const string& prefix, severity least) {
  // The worst comes first.
  if (findings.empty() || findings.front().weight < least) return {};
  return message_of(findings_json(findings), prefix, least);
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

string report_line(const json& report) {
  const json& triple = report["triple"];
  string line = "cuDNN " + triple["cudnn"].text() + " \xC2\xB7 CUDA " + triple["cuda"].text();
  const json& convolutions = report["convolutions"];
  if (report["level"].text() == "ran") {
    return line + " \xC2\xB7 " + joined(triple["architectures"]) + ", convolution verified (" +
           convolution_summary(convolutions) + ")";
  }
  line += " \xC2\xB7 " + report["level"].text();
  for (const json& item : report["findings"].elements()) {
    if (item["name"].text() == to_string(finding_id::not_verified))
      line += ", " + item["summary"].text();
  }
  return line;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
