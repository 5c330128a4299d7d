// SPDX-License-Identifier: BSD-3-Clause
#include "proof.h"

#include "../model/paths.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Replaces characters that would change how CMake splits the text into lines and elements.
static char written(char c) {
  static constexpr std::string_view meant = "\n\\[];";
  const std::size_t which = meant.find(c);
  if (which != std::string_view::npos) return static_cast<char>(which + 1);
  return static_cast<unsigned char>(c) < 6 ? '?' : c;
}

void proof_lines::add(const char* name, std::string_view value) {
  string_builder line;
  line += "proof_";
  line += name;
  line += '=';
  for (const char c : value) line += written(c);
  line += '\n';
  text_ += line.take();
}

void proof_lines::add(const char* name, const arena_vector<arena_string>& values) {
  string_builder list;
  for (const arena_string& value : values) {
    if (&value != values.begin()) list += ';';
    list += value;
  }
  add(name, list.take());
}

arena_string proof_lines::whole() const { return text_ + "whole=" + md5_of(text_) + "\n"; }

static arena_vector<arena_string> texts_of(const json& list) {
  arena_vector<arena_string> texts;
  for (const json& element : list.elements()) texts.push_back(element.text());
  return texts;
}

// "unknown" is a verdict; of a version it says that there is none.
static std::string_view version_in(const json& value) {
  return value.text() == "unknown" ? std::string_view() : std::string_view(value.text());
}

void add_facts(const json& report, proof_lines& lines) {
  const json& cudnn = report["cudnn"];
  const json& cuda = report["cuda"];
  arena_vector<arena_string> architectures;
  for (const arena_string name : texts_of(report["triple"]["architectures"])) {
    if (starts_with(name, "sm_")) architectures.push_back(name.substr(3));
  }
  lines.add("verdict", report["verdict"].text());
  lines.add("level", report["level"].text());
  lines.add("header", version_in(cudnn["header"]["version"]));
  lines.add("library_version", version_in(cudnn["library"]["version"]));
  lines.add("cudart_version", version_in(cudnn["library"]["cudart"]));
  lines.add("toolkit", version_in(cuda["toolkit"]));
  lines.add("runtime", version_in(cuda["runtime"]));
  lines.add("driver", version_in(cuda["driver"]));
  lines.add("architectures", architectures);
  lines.add("operations", proved_operations(report));
  lines.add("needs", texts_of(report["needs"]));
  lines.add("kernel_code", texts_of(report["kernel"]["compiled"]));
  lines.add("swept_seconds", report["sweep"]["asked"].text());
  lines.add("swept_plans", report["sweep"]["counts"]["plans"].text());
}

arena_string proof_of(const json& report, bool untried) {
  proof_lines lines;
  lines.add("stage", report["stage"].text());
  lines.add("untried", untried ? "yes" : "");
  add_facts(report, lines);
  return lines.whole();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
