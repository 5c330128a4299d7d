// SPDX-License-Identifier: BSD-3-Clause
//
// Libraries that are opened while the program runs, and stay open.  The folder of each platform
// (linux/, windows/) defines these functions.
#pragma once

#include "../core/model/observation.h"

namespace cudnn_checked::opened {

/// The driver's, libcuda.so.1.  Null where it cannot be opened: `error` is the loader's text.
void* open_driver_library(arena_string& error);

/// The same of a library of cuDNN by its absolute path; what it opens by name is found beside it.
void* open_cudnn_library(const arena_string& path, arena_string& error);

/// Opens a library so that later requests for its name get it.  False if it cannot be opened.
bool open_for_others(const arena_string& path);

/// The places in the environment of cuDNN where a library may lie that is not found.
arena_vector<arena_string> places_in_environment(const observation& observed,
                                                 const dependency& asked);

/// Null where the library has no such function.
void* function_of(void* library, const char* name);

}  // namespace cudnn_checked::opened
