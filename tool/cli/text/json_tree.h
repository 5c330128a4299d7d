// SPDX-License-Identifier: BSD-3-Clause
//
// JSON as the commands print it: an object is written down as its members.
#pragma once

#include <initializer_list>
#include <string>
#include <type_traits>
#include <utility>

#include "../../core/json/json.h"

namespace cudnn_checked::cli {

struct json_member {
  json_member(const char* name, json one) : key(name), value(std::move(one)) {}
  json_member(const char* name, const arena_string& text)
      : json_member(name, json::from_text(text)) {}
  json_member(const char* name, const std::string& text) : json_member(name, arena_string(text)) {}
  json_member(const char* name, const char* text) : json_member(name, arena_string(text)) {}
  template <class number, class = std::enable_if_t<std::is_integral_v<number>>>
  json_member(const char* name, number n) : key(name) {
    if constexpr (std::is_same_v<number, bool>) {
      value = json::boolean(n);
    } else {
      value = json::number(static_cast<long long>(n));
    }
  }

  const char* key;
  mutable json value;  ///< it is moved out of an initializer list
};

inline void add_members(json& tree, std::initializer_list<json_member> members) {
  for (const json_member& one : members) tree.add(one.key, std::move(one.value));
}

inline json object_of(std::initializer_list<json_member> members) {
  json tree = json::object();
  add_members(tree, members);
  return tree;
}

/// An answer of the program as a whole.
inline json answer_of(std::initializer_list<json_member> members) {
  json tree = object_of({{"schema", 1}, {"package", CUDNN_CHECKED_PACKAGE_VERSION}});
  add_members(tree, members);
  return tree;
}

/// What `json_of` makes of each element.
template <class elements, class function>
json array_of(const elements& all, const function& json_of) {
  json list = json::array();
  for (const auto& one : all) list.add(json_of(one));
  return list;
}

}  // namespace cudnn_checked::cli
