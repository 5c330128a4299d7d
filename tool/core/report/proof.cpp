// SPDX-License-Identifier: BSD-3-Clause
#include "proof.h"

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

void add_facts(const proof_facts& facts, proof_lines& lines) {
  lines.add("verdict", facts.verdict);
  lines.add("level", facts.level);
  lines.add("library_version", facts.library);
  lines.add("cudart_version", facts.cudart);
  lines.add("toolkit", facts.toolkit);
  lines.add("runtime", facts.runtime);
  lines.add("driver", facts.driver);
  lines.add("architectures", facts.architectures);
  lines.add("operations", names_of(facts.operations));
  lines.add("needs", facts.needs);
  lines.add("kernel_code", facts.kernel_code);
  lines.add("swept_seconds", facts.swept_seconds);
  lines.add("swept_plans", facts.swept_plans);
}

arena_string proof_of(const proof_facts& facts, bool untried) {
  proof_lines lines;
  lines.add("stage", facts.stage);
  lines.add("untried", untried ? "yes" : "");
  add_facts(facts, lines);
  return lines.whole();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
