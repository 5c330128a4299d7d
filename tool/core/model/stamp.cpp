// SPDX-License-Identifier: BSD-3-Clause
#include "stamp.h"

#include "format.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct stamp_version {
  const char* key;
  version stamp::*member;
};

struct stamp_text {
  const char* key;
  string stamp::*member;
};

struct stamp_list {
  const char* key;
  vector<string> stamp::*member;
};

static constexpr stamp_version stamp_versions[] = {
    {"header", &stamp::cudnn_header}, {"library", &stamp::cudnn_library},
    {"cudart", &stamp::cudart},       {"toolkit", &stamp::toolkit},
    {"runtime", &stamp::runtime},     {"driver", &stamp::driver}};
static constexpr stamp_text stamp_texts[] = {
    {"program", &stamp::program}, {"package", &stamp::package}, {"policy", &stamp::policy}};
static constexpr stamp_list stamp_lists[] = {{"components", &stamp::components},
                                             {"operations", &stamp::operations}};

/// What is read of a stamp before it is a stamp.
struct stamp_parts {
  stamp* result;
  string schema;
  vector<string> compiled;
};

static void put_value(std::string_view key, const string& value, stamp_parts& parts) {
  stamp& result = *parts.result;
  for (const stamp_version& one : stamp_versions) {
    if (is_equal(key, one.key)) result.*one.member = parse_version(value);
  }
  for (const stamp_text& one : stamp_texts) {
    if (is_equal(key, one.key)) result.*one.member = value;
  }
  for (const stamp_list& one : stamp_lists) {
    if (is_equal(key, one.key)) (result.*one.member).push_back(value);
  }
  if (is_equal(key, "schema")) parts.schema = value;
  if (is_equal(key, "level")) (void)parse_level(value, result.proved);
  if (is_equal(key, "measured")) result.measured.push_back(parse_architecture(value));
  if (is_equal(key, "compiled")) parts.compiled.push_back(value);
  if (is_equal(key, "sublibraries")) result.sublibraries.push_back(library_role::named(value));
  if (is_equal(key, "gpu")) result.gpu_optional = value == "optional";
}

// No key stands in a stamp twice, and no value has a character that JSON would escape
// (cmake/CuDNNChecked/stamp_json.cmake), so its texts in their order are enough.
bool parse_stamp(std::string_view text, stamp& result, string& error) {
  int open = 0;
  for (const char c : text) open += c == '{' ? 1 : c == '}' ? -1 : 0;
  if (text.empty() || text.front() != '{' || text.back() != '}' || open != 0) {
    error = "it is not a JSON object";
    return false;
  }
  stamp_parts parts = {&result, {}, {}};
  std::string_view key;
  for (;;) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n{}[],:");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const bool is_quoted = text.front() == '"';
    if (is_quoted) text.remove_prefix(1);
    const std::size_t end = text.find_first_of(is_quoted ? "\"" : " \t\r\n{}[],:\"");
    const std::string_view token = text.substr(0, end);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + (is_quoted ? 1 : 0));
    if (is_quoted && !text.empty() && text.front() == ':') {
      key = token;
    } else {
      put_value(key, string(token), parts);
    }
  }
  if (parts.schema != "1") {
    error = format("a stamp of schema %s, this release reads schema 1", parts.schema);
    return false;
  }
  result.compiled = parse_cuda_architectures(parts.compiled);
  if (!result.cudnn_header.known()) {
    error = "the stamp names no cuDNN version";
    return false;
  }
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
