// SPDX-License-Identifier: BSD-3-Clause
//
// Members of an object of JSON, in one call.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../../../core/json/json.h"
#include "text.h"

namespace cudnn_checked::sweep {

/// An enumerator by its name; a number, a text or a tree as it is.
template <class value>
json json_of_value(const value& of) {
  if constexpr (std::is_same_v<value, json>) {
    return json(of);
  } else if constexpr (std::is_same_v<value, bool>) {
    return json::boolean(of);
  } else if constexpr (std::is_floating_point_v<value>) {
    return json::number(of);
  } else if constexpr (std::is_integral_v<value>) {
    return json::number(static_cast<long long>(of));
  } else if constexpr (std::is_enum_v<value>) {
    return json::from_text(to_string(of));
  } else {
    return json::from_text(core_text(std::string(of)));
  }
}

/// Adds members with these names, which blanks separate.
template <class... values>
void add_members(json& tree, std::string_view names, const values&... all) {
  const auto add = [&](const auto& of) {
    const std::size_t end = std::min(names.find(' '), names.size());
    tree.add(arena_string(names.substr(0, end)), json_of_value(of));
    names.remove_prefix(std::min(end + 1, names.size()));
  };
  (add(all), ...);
}

template <class... values>
json json_object(std::string_view names, const values&... all) {
  json tree = json::object();
  add_members(tree, names, all...);
  return tree;
}

/// An array of what `make` makes of each.
template <class list, class maker>
json json_array(const list& all, const maker& make) {
  json array = json::array();
  for (const auto& one : all) array.add(make(one));
  return array;
}

}  // namespace cudnn_checked::sweep
