// SPDX-License-Identifier: BSD-3-Clause
#include "message.h"

#include "project.h"

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

message message_of(const request& asked, const system_interface& os) {
  message result;
  result.name = to_string(finding_id::bad_input);
  result.summary = asked["summary"];
  for (const char* const key : {"path", "character"}) {
    if (!asked[key].empty()) result.facts.push_back({key, asked[key], ""});
  }
  for (const arena_string& text : asked.all("fact")) result.facts.push_back(fact_of(text));
  result.because = asked.all("because");
  result.fixes = project(asked, os).lines("fix");
  result.quoted = asked["quoted"];
  return result;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
