// SPDX-License-Identifier: BSD-3-Clause
#include "message.h"

#include "../core/judge/advice/advice.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

fact fact_of(const arena_string& text) {
  const std::size_t first = text.find('|');
  if (first == arena_string::npos) return {text, "", ""};
  const std::size_t second = text.find('|', first + 1);
  fact result{text.substr(0, first), text.substr(first + 1), ""};
  if (second != arena_string::npos) {
    result.value = text.substr(first + 1, second - first - 1);
    result.where = text.substr(second + 1);
  }
  return result;
}

fix_lines given_fixes(const request& asked, const char* key) {
  fix_lines lines;
  for (const arena_string& text : asked.all(key)) {
    if (!text.empty()) lines.push_back(advice(text));
  }
  return lines;
}

message message_of(const request& asked) {
  message result;
  result.name = asked["name"];
  if (!asked["verdict"].empty()) result.lead = "cudnn_checked: " + asked["verdict"];
  result.summary = asked["summary"];
  for (const arena_string& text : asked.all("fact")) result.facts.push_back(fact_of(text));
  result.because = asked.all("because");
  result.fixes = given_fixes(asked, "fix");
  result.quoted = asked["quoted"];
  return result;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
