// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A JSON value that keeps the order of its keys.
class json {
 public:
  enum class kind : unsigned char { null, boolean, number, text, array, object };

  json() = default;
  static json boolean(bool b);
  static json number(long long n);
  static json number(double d);  ///< shortest text that reads back the same; null if not finite
  static json from_text(arena_string text);
  static json array();
  static json object();

  /// Appends a member to an object / an element to an array; returns *this.
  json& add(arena_string key, json&& member);
  json& add(json&& element);
  /// add(key, from_text(s)), and so on: most members are one of these.
  void add_string(const char* key, arena_string s);
  void add_number(const char* key, long long n);

  kind type() const { return kind_; }
  bool as_boolean() const { return text_ == "true"; }
  arena_string text() const { return text_; }  ///< of a string, or a number as written
  const arena_vector<json>& elements() const { return elements_; }
  const arena_vector<arena_string>& keys() const { return keys_; }
  /// A member of an object; a null value where there is none.
  const json& operator[](const char* key) const;

  /// Indented by two spaces, ends with a line break.
  arena_string print() const;
  /// One line, no spaces.
  arena_string print_compact() const;

 private:
  static constexpr int one_line = -1;
  /// `indent` is the number of steps, or one_line.
  void print_to(string_builder& out, int indent) const;

  kind kind_ = kind::null;
  arena_string text_;
  arena_vector<arena_string> keys_;
  arena_vector<json> elements_;
};

/// Reads one JSON document (RFC 8259, at most 32 levels deep).  On failure returns false and says
/// what is wrong and at which byte in `error`.
bool parse_json(std::string_view text, json& result, arena_string& error);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
