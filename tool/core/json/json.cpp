// SPDX-License-Identifier: BSD-3-Clause
#include "json.h"

#include <cstdio>
#include <cstdlib>

#include "json_writer.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

json json::boolean(bool b) {
  json v;
  v.kind_ = kind::boolean;
  v.text_ = b ? "true" : "false";
  return v;
}

json json::number(long long n) {
  json v;
  v.kind_ = kind::number;
  v.text_ = to_string(n);
  return v;
}

json json::number(double d) {
  json v;
  // Of what is not finite this is no number.  <cmath> would bring the special functions.
  if (!(d - d == 0)) return v;
  if (d == 0) d = 0;  // "-0" would be read back as another number: the integer 0
  v.kind_ = kind::number;
  char text[32];
  for (int digits = 1; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, d);
    if (std::strtod(text, nullptr) == d) break;
  }
  v.text_ = text;
  return v;
}

json json::from_text(arena_string s) {
  json v;
  v.kind_ = kind::text;
  v.text_ = std::move(s);
  return v;
}

json json::array() {
  json v;
  v.kind_ = kind::array;
  return v;
}

json json::object() {
  json v;
  v.kind_ = kind::object;
  return v;
}

json& json::add(arena_string key, json&& member) {
  keys_.push_back(std::move(key));
  elements_.push_back(std::move(member));
  return *this;
}

json& json::add(json&& element) {
  elements_.push_back(std::move(element));
  return *this;
}

void json::add_string(const char* key, arena_string s) { add(key, from_text(s)); }

void json::add_number(const char* key, long long n) { add(key, number(n)); }

const json& json::operator[](const char* key) const {
  static const json nothing;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i] == key) return elements_[i];
  }
  return nothing;
}

static void append_break(string_builder& out, int indent) {
  if (indent < 0) return;
  out += '\n';
  for (int i = 0; i < indent; ++i) out += "  ";
}

void json::print_to(string_builder& out, int indent) const {
  if (kind_ == kind::null) {
    out += "null";
  } else if (kind_ == kind::text) {
    append_quoted(out, text_);
  } else if (kind_ == kind::array || kind_ == kind::object) {
    const bool is_object = kind_ == kind::object;
    const int inner = indent < 0 ? one_line : indent + 1;
    out += is_object ? '{' : '[';
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (i > 0) out += ',';
      append_break(out, inner);
      if (is_object) {
        append_quoted(out, keys_[i]);
        out += indent < 0 ? ":" : ": ";
      }
      elements_[i].print_to(out, inner);
    }
    if (!elements_.empty()) append_break(out, indent);
    out += is_object ? '}' : ']';
  } else {
    out += text_;
  }
}

arena_string json::print() const {
  string_builder out;
  print_to(out, 0);
  out += '\n';
  return out.take();
}

arena_string json::print_compact() const {
  string_builder out;
  print_to(out, one_line);
  return out.take();
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
