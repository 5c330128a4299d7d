// SPDX-License-Identifier: BSD-3-Clause
#include "json_tree_writer.h"

#include <cstring>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void json_tree_writer::add(std::string_view key, json&& value) {
  if (open_.empty()) {
    document_ = std::move(value);
    return;
  }
  json& parent = open_.in_place().back().value;
  if (parent.type() == json::kind::array) {
    parent.add(std::move(value));
  } else {
    parent.add(arena_string(key), std::move(value));
  }
}

void json_tree_writer::add(const char* key, json&& value) {
  add(key == nullptr ? std::string_view() : std::string_view(key), std::move(value));
}

std::string_view json_tree_writer::take_key(const char*& keys) {
  const std::string_view key(keys, std::strcspn(keys, " "));
  keys += key.size() + (keys[key.size()] == ' ' ? 1 : 0);
  return key;
}

void json_tree_writer::begin(const char* key, char bracket) {
  open_.push_back({key == nullptr ? std::string_view() : std::string_view(key),
                   bracket == '{' ? json::object() : json::array()});
}

void json_tree_writer::end() {
  opened last = std::move(open_.in_place().back());
  open_.pop_back();
  add(last.key, std::move(last.value));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
