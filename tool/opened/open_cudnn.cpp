// SPDX-License-Identifier: BSD-3-Clause
#include "driver.h"
#include "library.h"
#include "opened.h"

// The library's own function, and the one that calls it.
#define CUDNN_CHECKED_FUNCTION(result, name, parameters, arguments) \
  static result(*opened_##name) parameters = nullptr;               \
  result name parameters { return opened_##name arguments; }
// Only operations that are asked for by name need these.
#define CUDNN_CHECKED_OPERATION(name, parameters, arguments)         \
  static cudnnStatus_t(*opened_##name) parameters = nullptr;         \
  cudnnStatus_t name parameters {                                    \
    if (opened_##name == nullptr) return CUDNN_STATUS_NOT_SUPPORTED; \
    return opened_##name arguments;                                  \
  }
#include "cudnn_functions.def"
#undef CUDNN_CHECKED_OPERATION
#undef CUDNN_CHECKED_FUNCTION

static void (*opened_cudnnGetLastErrorString)(char*, std::size_t) = nullptr;

void cudnnGetLastErrorString(char* text, std::size_t room) {
  if (room > 0) text[0] = '\0';
  if (opened_cudnnGetLastErrorString != nullptr) opened_cudnnGetLastErrorString(text, room);
}

namespace cudnn_checked::opened {

static int opened_major = 0;

bool open_cudnn(const arena_string& path, arena_string& error) {
  void* const library = open_cudnn_library(path, error);
  if (library == nullptr) return false;
  const char* lacking = nullptr;
#define CUDNN_CHECKED_FUNCTION(result, name, parameters, arguments) \
  if (!find_function(library, #name, ::opened_##name)) {            \
    lacking = lacking == nullptr ? #name : lacking;                 \
  }
#define CUDNN_CHECKED_OPERATION(name, parameters, arguments) \
  (void)find_function(library, #name, ::opened_##name);
#include "cudnn_functions.def"
#undef CUDNN_CHECKED_OPERATION
#undef CUDNN_CHECKED_FUNCTION
  if (lacking != nullptr) {
    error = path + ": it lacks the function " + lacking;
    return false;
  }
  // Since cuDNN 9 a function of its own; asking for the version would load the first sub-library.
  opened_major =
      find_function(library, "cudnnGetLastErrorString", ::opened_cudnnGetLastErrorString) ? 9 : 8;
  open_environment(opened_major);
  return true;
}

bool is_cudnn_open() { return opened_major != 0; }

cudnnStatus_t status_not_supported() {
  return static_cast<cudnnStatus_t>(opened_major >= 9 ? 3000 : 9);
}

bool is_out_of_memory(cudnnStatus_t status) {
  const int number = status;
  // INTERNAL_ERROR_HOST_ALLOCATION_FAILED, INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED; ALLOC_FAILED
  return opened_major >= 9 ? number == 4003 || number == 4004 : number == 2;
}

}  // namespace cudnn_checked::opened
