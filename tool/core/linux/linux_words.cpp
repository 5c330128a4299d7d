// SPDX-License-Identifier: BSD-3-Clause
#include "../judge/advice/advice.h"
#include "../model/format.h"
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* search_variable() { return "LD_LIBRARY_PATH"; }
const char* search_separator() { return ":"; }
const char* search_separators() { return ":;"; }  // ld.so(8)

arena_string quoted(const arena_string& word) { return quoted_for_sh(word); }

arena_string set_search_variable(const arena_string& word) {
  return format("export LD_LIBRARY_PATH=%s", word);
}

arena_string unset_search_variable() { return unset_command("LD_LIBRARY_PATH"); }

arena_string unset_command(const arena_string& name) { return "unset " + name; }

arena_string in_other_shell(const arena_string&) { return {}; }

const char* python_command() { return "python3"; }

const char* driver_advice() { return "in a container, give it a GPU: docker run --gpus all"; }

const char* advice_for(dependency_kind) { return nullptr; }

const char* place_of_probe() { return "the RUNPATH of the probe"; }

const char* failed_load() { return nullptr; }

arena_string shell_path(const arena_string& directory) { return quoted(directory); }

// An entry that is empty means the current directory (ld.so(8)): an empty value must not become
// one.  dash splits what `export` gets, where it is not quoted.
arena_string prepend_word(const char* word, const arena_string& value) {
  const char* before = value.empty()            ? ""
                       : quoted(value) == value ? ":$LD_LIBRARY_PATH"
                                                : ":\"$LD_LIBRARY_PATH\"";
  return format("export LD_LIBRARY_PATH=%s%s", word, before);
}

const char* known_loader() {
  return "=expected|the loader of glibc, without LD_AUDIT\n"
         ":found|%s\n"
         ">nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded";
}

bool has_debian_packages() { return true; }

const char* not_a_library() { return "not an ELF file"; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
