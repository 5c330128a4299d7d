// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include "../core/library/library_file.h"
#include "../core/model/format.h"
#include "../core/model/one_line.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

static constexpr unsigned long long most_bytes = 1U << 20U;
static constexpr int most_levels = 16;
static constexpr const char* no_json = "not JSON with a schema";

static bool is_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 && c != '\t' && c != '\n' && c != '\r') return false;
    const std::size_t length = c < 0x80 ? 1 : utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

// How deep objects and arrays stand in each other; 0 where a string has a NUL, which would end it
// for all that compares it.
static int depth_of(std::string_view text) {
  int depth = 0;
  int deepest = 1;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') {
      if (text.substr(at, 6) == "\\u0000") return 0;
      ++at;
    } else if (!quoted) {
      if (c == '{' || c == '[') deepest = ++depth > deepest ? depth : deepest;
      if (c == '}' || c == ']') --depth;
    }
  }
  return deepest;
}

static bool has_doubled_member(const json& tree) {
  for (std::size_t i = 0; i < tree.keys().size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (tree.keys()[k] == tree.keys()[i]) return true;
    }
  }
  return any_of(tree.elements(), [&](const json& element) { return has_doubled_member(element); });
}

static arena_string fault_of(std::string_view text, json& report) {
  static constexpr std::string_view mark = "\xEF\xBB\xBF";
  if (text.substr(0, mark.size()) == mark) text.remove_prefix(mark.size());
  if (!is_text(text)) return "not text";
  const int depth = depth_of(text);
  if (depth > most_levels) return format("not JSON of at most %d levels", most_levels);
  arena_string error;
  if (depth == 0 || !parse_json(text, report, error) || report.type() != json::kind::object) {
    return no_json;
  }
  return has_doubled_member(report) ? "an object with two members of one name" : "";
}

bool read_report(const system_interface& os, const arena_string& path, json& report,
                 arena_string& fault) {
  const open_file file(os, path);
  arena_string text;
  const bool opened = file.result() == open_result::opened;
  const unsigned long long size = opened ? file.source().size() : 0;
  if (size > most_bytes) {
    fault =
        format("%s bytes, and no report has more than %s", to_string(static_cast<long long>(size)),
               to_string(static_cast<long long>(most_bytes)));
  } else if (size == 0 || !os.read_text(path, text)) {
    fault = "empty";
  } else {
    fault = fault_of(text, report);
  }
  return fault.empty();
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
