// SPDX-License-Identifier: BSD-3-Clause
//
// What a person types and reads on this platform and not on another (linux/linux_words.cpp).
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "found_file.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The variable with directories that the loader searches: "LD_LIBRARY_PATH".
const char* search_variable();
/// What stands between its entries.
const char* search_separator();
/// The command of a shell that sets it; `word` is the value as the shell takes it.
arena_string set_search_variable(const arena_string& word);
arena_string unset_search_variable();
/// A directory as a word of the shell's command.
arena_string shell_path(const arena_string& directory);
/// The places of a search for whoever names none: "LD_LIBRARY_PATH, ld.so.cache, default path".
const char* places_of_search();
/// What happens to a program that needs a library in that state; `delayed`: when it calls the first
/// function of it.
const char* failed_start(file_state state, bool delayed);
/// The same where a function is called that no library exports; `now`: not when it is called.
const char* failed_call(bool now);
/// What is expected, and what to do, where rules that are not known here decide what is loaded: the
/// lines of rule_loader_unknown.
const char* known_loader();
/// "not an ELF file".
const char* not_a_library();
/// Do the packages of Debian and Ubuntu serve?
bool has_debian_packages();

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
