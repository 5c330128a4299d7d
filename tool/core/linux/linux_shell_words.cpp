// SPDX-License-Identifier: BSD-3-Clause
//
// Commands of sh.
#include "../judge/advice/advice.h"
#include "../model/format.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string quoted(const arena_string& word) { return quoted_for_sh(word); }

arena_string set_search_variable(const arena_string& word) {
  return format("export %s=%s", search_variable(), word);
}

arena_string unset_search_variable() { return unset_command(search_variable()); }

arena_string unset_command(const arena_string& name) { return "unset " + name; }

arena_string in_other_shell(const arena_string&) { return {}; }

const char* python_command() { return "python3"; }

arena_string shell_path(const arena_string& directory) { return quoted(directory); }

// An entry that is empty means the current directory (ld.so(8)): an empty value must not become
// one.  dash splits what `export` gets, where it is not quoted.
arena_string prepend_word(const char* word, const arena_string& value) {
  const arena_string before = value.empty()            ? arena_string()
                              : quoted(value) == value ? format(":$%s", search_variable())
                                                       : format(":\"$%s\"", search_variable());
  return format("export %s=%s%s", search_variable(), word, before);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
