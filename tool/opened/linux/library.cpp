// SPDX-License-Identifier: BSD-3-Clause
#include "../library.h"
#include "../opened.h"

#include <dlfcn.h>

#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"

namespace cudnn_checked::opened {

static void* opened_or_error(const arena_string& name, int mode, arena_string& error) {
  void* const library = dlopen(name.c_str(), RTLD_NOW | mode);
  if (library == nullptr) error = dlerror();
  return library;
}

void* open_driver_library(arena_string& error) {
  return opened_or_error(driver_library_name(), RTLD_LOCAL, error);
}

// As Python's import does (RTLD_NOW), and with global names (RTLD_GLOBAL): in a program that is
// linked with cuDNN its names are global, too.
void* open_cudnn_library(const arena_string& path, arena_string& error) {
  return opened_or_error(path, RTLD_GLOBAL, error);
}

// A loaded library is found by its SONAME (ld.so(8)).
bool open_for_others(const arena_string& path) {
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr;
}

arena_vector<arena_string> places_in_environment(const observation& observed,
                                                 const dependency& asked) {
  arena_vector<arena_string> places;
  for (const python_environment& environment : observed.environments) {
    for (const arena_string& directory : environment.libraries) {
      places.push_back(join_path(directory, asked.name));
    }
  }
  return places;
}

void* function_of(void* library, const char* name) { return dlsym(library, name); }

void search_as_opened(const arena_string&) {}

}  // namespace cudnn_checked::opened
