// SPDX-License-Identifier: BSD-3-Clause
//
// Reading an errata file.  cudnn-frontend reads it with a library that ends with an exception where
// a key has another type; such a file is refused here, with the rule and the key.
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "../../../core/json/json.h"
#include "../../../core/json/json_writer.h"
#include "../text/text.h"
#include "errata.h"

namespace cudnn_checked::sweep {

// A key that stands twice: readers of JSON differ in which of the two they take.
static bool stands_once(const json& object, const std::string& where, std::string& error) {
  for (std::size_t i = 0; i < object.keys().size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (object.keys()[i] != object.keys()[k]) continue;
      error = where + " has the key \"" + std_text(object.keys()[i]) + "\" twice";
      return false;
    }
  }
  return true;
}

static bool has_key(const json& object, const char* key) { return contains(object.keys(), key); }

static bool is_whole_number(const json& value) {
  if (value.type() != json::kind::number) return false;
  const std::string_view text = value.text();
  return text.find_first_of(".e") == std::string_view::npos;
}

// A key of a rule; `where` is the name of the rule.
struct rule_key {
  const json& rule;
  const std::string& where;
  std::string& error;

  bool wrong(const char* key, const char* expected) const {
    error = where + ": \"" + key + "\" is not " + expected;
    return false;
  }
  bool missing(const char* key) const {
    error = where + " has no \"" + key + "\"";
    return false;
  }

  bool text(const char* key, std::string& result) const {
    const json& value = rule[key];
    if (value.type() != json::kind::text) return wrong(key, "a string");
    result = std_text(value.text());
    return true;
  }

  bool number(const char* key, std::int64_t& result) const {
    const json& value = rule[key];
    if (!is_whole_number(value)) return wrong(key, "a whole number");
    result = std::strtoll(value.text().c_str(), nullptr, 10);
    return true;
  }

  // -1 is the largest number then: without an end.
  bool version(const char* key, std::uint64_t& result) const {
    if (!has_key(rule, key)) return true;
    std::int64_t value = 0;
    if (!number(key, value)) return false;
    result = static_cast<std::uint64_t>(value);
    return true;
  }

  // An object has its values compared, without their keys.
  bool knobs(std::vector<std::string>& result) const {
    const json& value = rule["knob"];
    if (value.type() == json::kind::null) return true;
    if (value.type() == json::kind::text) {
      result.push_back(std_text(value.text()));
      return true;
    }
    if (value.type() != json::kind::array && value.type() != json::kind::object) {
      return wrong("knob", "an array of strings");
    }
    for (const json& element : value.elements()) {
      if (element.type() != json::kind::text) return wrong("knob", "an array of strings");
      result.push_back(std_text(element.text()));
    }
    return true;
  }

  bool shape(const char* key, bool& named, std::int64_t* result) const {
    named = has_key(rule, key);
    if (!named) return true;
    const json& value = rule[key];
    constexpr const char* expected = "an array of four whole numbers";
    if (value.type() != json::kind::array) return wrong(key, expected);
    if (value.elements().size() < 4) return wrong(key, expected);
    for (std::size_t i = 0; i < value.elements().size(); ++i) {
      const json& element = value.elements()[i];
      if (!is_whole_number(element)) return wrong(key, expected);
      if (i < 4) result[i] = std::strtoll(element.text().c_str(), nullptr, 10);
    }
    return true;
  }
};

static bool read_rule(const json& from, const std::string& where, errata_rule& rule,
                      std::string& error) {
  if (from.type() != json::kind::object) {
    error = where + " is not an object";
    return false;
  }
  const rule_key key = {from, where, error};
  if (!stands_once(from, where, error)) return false;
  if (!has_key(from, "operation")) return key.missing("operation");
  if (!has_key(from, "engine")) return key.missing("engine");
  if (from["rule_id"].type() == json::kind::text) rule.id = std_text(from["rule_id"].text());
  if (!key.text("operation", rule.operation) || !key.number("engine", rule.engine) ||
      !key.knobs(rule.knobs) || !key.version("cudnn_version_start", rule.version_start) ||
      !key.version("cudnn_version_end", rule.version_end) ||
      !key.shape("input_shape", rule.names_input, rule.input_shape) ||
      !key.shape("filter_shape", rule.names_filter, rule.filter_shape)) {
    return false;
  }
  if (!rule.names_input) return true;
  if (!has_key(from, "shape_format")) return key.missing("shape_format");
  std::string format;
  if (!key.text("shape_format", format)) return false;
  rule.channels_second = format == "NCHW";
  return true;
}

// Where a string of JSON that begins at `at` ends, behind its quote.  The text is valid JSON.
static std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at + 1;
}

// The ']' of the member "rules" of the outermost object.  npos where its name is written with
// escapes.
static std::size_t end_of_rules(std::string_view text) {
  int depth = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t behind = behind_string(text, at);
      if (depth == 1 && text.substr(at, behind - at) == "\"rules\"") {
        const std::size_t next = text.find_first_not_of(" \t\r\n", behind);
        inside = inside || (next != std::string_view::npos && text[next] == ':');
      }
      at = behind;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (inside && depth == 1 && c == ']') return at;
    ++at;
  }
  return std::string_view::npos;
}

// The first byte that is not UTF-8, or npos.  A program that reads such a file dies.
static std::size_t foreign_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

bool read_errata(const std::string& text, errata_file& result, std::string& error) {
  static constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // read over, as programs do
  result = {};
  if (text.empty()) {
    error = "it is empty";
    return false;
  }
  const std::size_t foreign = foreign_byte(text);
  if (foreign != std::string_view::npos) {
    error = "it is not UTF-8 at byte " + std::to_string(foreign);
    return false;
  }
  const bool has_mark = text.compare(0, byte_order_mark.size(), byte_order_mark) == 0;
  const std::string_view behind_mark =
      std::string_view(text).substr(has_mark ? byte_order_mark.size() : 0);
  json root;
  arena_string reason;
  if (!parse_json(behind_mark, root, reason)) {
    error = std_text(reason);
    return false;
  }
  if (root.type() != json::kind::object || root["rules"].type() != json::kind::array) {
    error = "it has no array \"rules\"";
    return false;
  }
  if (!stands_once(root, "it", error)) return false;
  if (has_key(root, "version") &&
      (!is_whole_number(root["version"]) || root["version"].text() != "1")) {
    error = "its \"version\" is not 1";
    return false;
  }
  result.closing = end_of_rules(text);
  if (result.closing == std::string::npos) {
    error = "the name \"rules\" is written with escapes";
    return false;
  }
  for (const json& element : root["rules"].elements()) {
    errata_rule rule;
    const std::string where = "rule " + std::to_string(result.rules.size() + 1);
    if (!read_rule(element, where, rule, error)) return false;
    result.rules.push_back(std::move(rule));
  }
  result.text = text;
  return true;
}

// A rule is 200 bytes.
static constexpr std::size_t largest_errata = std::size_t{4} << 20;

static bool read_errata_bytes(const char* path, std::string& text) {
  std::FILE* const file = std::fopen(path, "rbe");
  if (file == nullptr) return false;
  text.resize(largest_errata + 1);
  text.resize(std::fread(&text[0], 1, text.size(), file));
  const bool is_read = std::ferror(file) == 0;
  std::fclose(file);
  return is_read;
}

bool load_errata(const std::string& path, errata_file& result, std::string& error) {
  result = {};
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0 && errno == ENOENT) return true;
  std::string text;
  const bool is_there = ::stat(path.c_str(), &status) == 0;
  if (is_there && !S_ISREG(status.st_mode)) {
    error = "not a file";
  } else if (!is_there || !read_errata_bytes(path.c_str(), text)) {
    error = std::string("cannot be read: ") + std::strerror(errno);
  } else if (text.size() > largest_errata) {
    error = "no errata file: more than 4 MiB";
  } else if (!read_errata(text, result, error)) {
    error = "no errata file: " + error;
  } else {
    return true;
  }
  error = path + ": " + error;
  return false;
}

}  // namespace cudnn_checked::sweep
