// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "../model/arena_string.h"
#include "../model/format.h"
#include "../model/one_line.h"
#include "../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Appends a JSON string: quoted and escaped, with U+FFFD for bytes that are not UTF-8.
void append_quoted(string_builder& out, std::string_view text);

/// A value as the text of a member: empty where a version is not known.
arena_string member_text(slot_kind kind, const void* value);

/// Writes a JSON document from its first character to its last, as json::print() does.
class json_writer {
 public:
  /// Begins an object or an array; `key` is null in an array and for the document itself.
  void begin(const char* key, char bracket);
  void end();
  /// A string; `key` is null in an array.
  void text(const char* key, std::string_view value);
  /// A value that is JSON as it stands: a number, true, false, null.
  void bare(const char* key, std::string_view value);
  void boolean(const char* key, bool value) { bare(key, value ? "true" : "false"); }
  void null(const char* key) { bare(key, "null"); }
  /// Members of an object, one for each of the keys, which a space separates.  Numbers are numbers
  /// and all else is a string, which is empty where a version is not known.
  template <class... values>
  void members(const char* keys, const values&... all) {
    member_slots(keys, kinds_of<decltype(slot_of::make(all))...>(), slot_of::make(all).value...);
  }
  /// The document, with a line break at its end.
  arena_string take();

 private:
  void member_slots(const char* keys, slot_kinds kinds, ...);
  void begin_value(const char* key, std::size_t length);
  void break_line();

  static constexpr int deepest = 8;
  string_builder out_;
  char closing_[deepest] = {};
  int depth_ = 0;
  bool empty_ = true;  ///< what was begun last has no value yet
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
