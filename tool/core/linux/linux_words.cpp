// SPDX-License-Identifier: BSD-3-Clause
#include "../model/platform_words.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

const char* search_variable() { return "LD_LIBRARY_PATH"; }
const char* search_separator() { return ":"; }
const char* search_separators() { return ":;"; }  // ld.so(8)

const char* driver_advice() { return "in a container, give it a GPU: docker run --gpus all"; }

const char* advice_for(dependency_kind) { return nullptr; }

const char* place_of_probe() { return "the RUNPATH of the probe"; }

const char* failed_load() { return nullptr; }

const char* known_loader(const arena_string&) {
  return "=expected|the loader of glibc, without LD_AUDIT\n"
         ":found|%s\n"
         ">nothing; to have it checked, call cudnn_checked::check() once cuDNN is loaded";
}

bool has_debian_packages() { return true; }

const char* not_a_library() { return "not an ELF file"; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
