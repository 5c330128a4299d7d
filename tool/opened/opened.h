// SPDX-License-Identifier: BSD-3-Clause
//
// cuDNN and the driver, opened by a program that is linked with neither.  include/ has the
// declarations that the probe and the sweep are compiled with, in place of the real headers.
#pragma once

#include "../core/model/arena_string.h"
#include "include/cudnn.h"

namespace cudnn_checked::opened {

/// Opens libcudnn.so.N by its absolute path.  After true all functions of <cudnn.h> can be called.
/// False: `error` is the loader's text, or names what the library lacks.  Runs the library's
/// initialisers, so that the process can end here.  Calls open_environment(). One library a
/// process; it is never closed.
bool open_cudnn(const arena_string& path, arena_string& error);
bool is_cudnn_open();

/// Searches for libraries as a process that has opened that cuDNN: on Windows its directory comes
/// first in PATH.
void search_as_opened(const arena_string& path);

/// Opens the libraries of CUDA that the cuDNN in this process asks for by name and would not find,
/// although they lie in its own Python environment.  PyTorch does the same, and the find module
/// links the probe with them.  Libraries that the loader finds by itself are not opened.
void open_environment(int cudnn_major);

/// Opens the driver's library.  False where there is none: then every cuda* function fails with 35,
/// as the runtime's do; `error` is the loader's text.
bool open_driver(arena_string& error);

/// True where memory was short, of the machine or of the GPU.
bool is_out_of_memory(cudnnStatus_t status);

}  // namespace cudnn_checked::opened
