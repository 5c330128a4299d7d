// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/format.h"
#include "../namespace.h"
#include "json.h"
#include "json_writer.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Makes the tree of a document, with the calls of json_writer: what takes either as a parameter of
/// a template describes the document once.
class json_tree_writer {
 public:
  void begin(const char* key, char bracket);
  void end();
  void text(const char* key, std::string_view value) {
    add(key, json::from_text(arena_string(value)));
  }
  void boolean(const char* key, bool value) { add(key, json::boolean(value)); }
  void null(const char* key) { add(key, json()); }
  template <class... values>
  void members(const char* keys, const values&... all) {
    (add(take_key(keys), tree_of(all)), ...);
  }
  /// The document.
  json take() { return std::move(document_); }

 private:
  /// To what was begun last; an element of an array has no key.
  void add(std::string_view key, json&& value);
  void add(const char* key, json&& value);
  /// The first of the keys, which `keys` loses.
  static std::string_view take_key(const char*& keys);

  template <class value>
  static json tree_of(const value& one) {
    if constexpr (std::is_integral_v<value>) {
      return json::number(static_cast<long long>(one));
    } else {
      return json::from_text(
          member_text(decltype(slot_of::make(one))::kind, slot_of::make(one).value));
    }
  }

  struct opened {
    std::string_view key;
    json value;
  };
  arena_vector<opened> open_;
  json document_;
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
