// SPDX-License-Identifier: BSD-3-Clause
//
// What a person types and reads on this platform and not on another (linux/linux_words.cpp).
#pragma once

#include "../namespace.h"
#include "arena_string.h"
#include "found_file.h"
#include "observation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The variable with directories that the loader searches: "LD_LIBRARY_PATH".
const char* search_variable();
/// One word for a shell, quoted where it holds more than letters, digits and a few characters that
/// no shell takes for its own.  A path has the system's slashes.
arena_string quoted(const arena_string& word);
/// What stands between its entries, and what may.
const char* search_separator();
const char* search_separators();
/// The command of a shell that sets it; `word` is the value as the shell takes it.
arena_string set_search_variable(const arena_string& word);
arena_string unset_search_variable();
/// The command that unsets another variable.
arena_string unset_command(const arena_string& name);
/// The same command for another shell that people use here, behind its name: "in PowerShell: ...";
/// empty where there is none, or the command is the same there.
arena_string in_other_shell(const arena_string& text);
/// "rm" and "rm -r".
const char* command_that_removes_files();
const char* command_that_removes_folders();
/// What "pip install --target" has to be told where the files are for another platform than this
/// machine's, with a blank in front, and what uv has to be told; empty elsewhere.
const char* other_platform_for_pip();
const char* other_platform_for_uv();
/// The command of whichever Python is active.
const char* python_command();
/// The advice for a program without a driver, if the machine may have a GPU.
const char* driver_advice();
/// Where to get a library that no package has; null if one has it.
const char* advice_for(dependency_kind kind);
/// What happens if a library of cuDNN is damaged; null: the finding says it.
const char* failed_load();
/// A directory as a word of the shell's command.
arena_string shell_path(const arena_string& directory);
/// Which search leads the loader from the probe to cuDNN.
const char* place_of_probe();
/// The places that the loader searches for any program: "LD_LIBRARY_PATH, ld.so.cache, default
/// path".
const char* places_of_search();
/// What happens to a program that needs that library; `delayed`: when it calls the first function
/// of it.
const char* failed_start(const found_file& library, bool delayed);
/// The same where a function is called that no library exports; `now`: not when it is called.
const char* failed_call(bool now);
/// How a program opens a library by its name: "dlopen()".
const char* call_that_opens();
/// A program for which the loader looks nowhere else than for all others.
const char* any_program();
/// The advice for such a program, if the loader finds no cuDNN for it.
const char* where_any_program_starts();
/// If nothing shows that a program uses cuDNN: what was looked at, and what may use it; `dynamic`
/// as library_file::dynamic.
const char* no_use_of_cudnn(bool dynamic);
/// If unknown rules decide what is loaded: what is expected, and what to do.  The lines of
/// rule_loader_unknown; `decides` is observation::other_rules.
const char* known_loader(const arena_string& decides);
/// "not an ELF file".
const char* not_a_library();
/// Do the packages of Debian and Ubuntu serve?
bool has_debian_packages();

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
