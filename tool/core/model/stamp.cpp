// SPDX-License-Identifier: BSD-3-Clause
#include "stamp.h"

#include <cstring>

#include "format.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

struct stamp_version {
  char key[8];
  version stamp::*member;
};

struct stamp_text {
  char key[8];
  arena_string stamp::*member;
};

struct stamp_list {
  char key[11];
  arena_vector<arena_string> stamp::*member;
};

static constexpr stamp_version stamp_versions[] = {
    {"header", &stamp::cudnn_header}, {"library", &stamp::cudnn_library},
    {"cudart", &stamp::cudart},       {"toolkit", &stamp::toolkit},
    {"runtime", &stamp::runtime},     {"driver", &stamp::driver}};
static constexpr stamp_text stamp_texts[] = {{"program", &stamp::program},
                                             {"package", &stamp::package},
                                             {"policy", &stamp::policy},
                                             {"guard", &stamp::guard}};
static constexpr stamp_list stamp_lists[] = {{"components", &stamp::components},
                                             {"operations", &stamp::operations}};

/// The parts of a stamp while it is read.
struct stamp_parts {
  stamp* result;
  arena_string schema;
  arena_vector<arena_string> compiled;
};

static void put_value(std::string_view key, arena_string value, stamp_parts& parts) {
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

// A stamp is a kilobyte, two levels deep (cmake/CuDNNChecked/target/guard_objects.cmake).
static constexpr std::size_t stamp_longest = 64U << 10;
static constexpr int stamp_deepest = 16;

static bool ends_stamp_word(char c) { return std::memchr(" \t\r\n{}[],:\"", c, 10) != nullptr; }

// The texts of a JSON object in their order.  False where it is none.
static bool read_stamp_words(std::string_view text, stamp_parts& parts) {
  if (text.empty() || text.size() > stamp_longest || text.front() != '{' || text.back() != '}')
    return false;
  std::string_view key;
  int open = 0;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end; ++at) {
    open += *at == '{' ? 1 : *at == '}' ? -1 : 0;
    if (open > stamp_deepest) return false;
    const bool is_quoted = *at == '"';
    if (!is_quoted && ends_stamp_word(*at)) continue;
    const char* const begin = is_quoted ? at + 1 : at;
    const char* word_end = begin;
    while (word_end < end && (is_quoted ? *word_end != '"' : !ends_stamp_word(*word_end)))
      ++word_end;
    if (word_end == end) return false;
    const std::string_view word(begin, static_cast<std::size_t>(word_end - begin));
    at = is_quoted ? word_end : word_end - 1;
    // `text` ends with a brace, so there is a character behind each word.
    if (is_quoted && word_end[1] == ':') {
      key = word;
    } else {
      put_value(key, arena_string(word), parts);
    }
  }
  return open == 0;
}

// No key stands in a stamp twice, and no value has a character that JSON would escape
// (cmake/CuDNNChecked/target/guard_objects.cmake), so its texts in their order are enough.
bool parse_stamp(std::string_view text, stamp& result, arena_string& error) {
  stamp read;
  stamp_parts parts = {&read, {}, {}};
  if (!read_stamp_words(text, parts)) {
    error = text.size() > stamp_longest ? "it is longer than 64 KiB" : "it is not a JSON object";
    return false;
  }
  if (parts.schema != "1") {
    error = parts.schema.empty()
                ? arena_string("it names no schema")
                : format("a stamp of schema %s, this release reads schema 1", parts.schema);
    return false;
  }
  result = read;
  result.compiled = parse_cuda_architectures(parts.compiled);
  if (!result.cudnn_header.known()) {
    error = "the stamp names no cuDNN version";
    return false;
  }
  return true;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
