// SPDX-License-Identifier: BSD-3-Clause
//
// Commands of cmd.exe.
#include "../judge/advice/advice.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* search_variable() { return "PATH"; }
const char* search_separator() { return ";"; }

// `set` takes all that follows; quotes around the whole keep "&" and a blank at its end.
arena_string set_search_variable(const arena_string& word) { return "set \"PATH=" + word + "\""; }

arena_string unset_search_variable() { return "set \"PATH=%SystemRoot%\\System32\""; }

arena_string shell_path(const arena_string& directory) {
  string_builder made;
  for (const char c : directory) made += c == '/' ? '\\' : c;
  return made.take();
}

arena_string prepend_word(const char* word, const arena_string& value) {
  return set_search_variable(arena_string(word) + (value.empty() ? "" : ";%PATH%"));
}

const char* known_loader() {
  return "=expected|a program\n"
         ":found|%s\n"
         ">verify the program that loads it";
}

const char* not_a_library() { return "not a DLL"; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
