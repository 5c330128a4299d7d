// SPDX-License-Identifier: BSD-3-Clause
//
// Faults on request: "hang:cudnnCreate", "crash:cudnnGetVersion", "abort:cudnnCreate",
// "fail:cudnnCreate:1001", "wrong:graph/fp16/nchw", "wrong-element:legacy", "unwritten:graph",
// "wrong:kernel"; of engines of the graph API: README.md.  Several are separated by commas; one
// that ends in ":gpu=3" is of that GPU alone.  They come from the build (FAULTS) and from the
// environment variable SIMULATED_FAULT.
#pragma once

#include <string>
#include <vector>

#define SIMULATED_EXPORT extern "C" __attribute__((visibility("default")))

namespace simulated {

/// Those of the build, separated by commas.
extern const char* const default_faults;

/// Hangs or dies where a fault says so.  True where the function must fail, with its status.
bool fails(const char* function, int& status);

/// Is there a fault "kind:PREFIX" whose PREFIX is `what` or a leading part of it, up to a slash?
bool is_faulty(const char* kind, const char* what);

/// The GPU that the calling thread computes on, by its place in the machine, whatever
/// CUDA_VISIBLE_DEVICES shows; -1: none, or not known.
int current_gpu();

/// What follows "kind:" in each fault of that kind.
std::vector<std::string> faults_of(const char* kind);

}  // namespace simulated

// First line of every function of the API.
#define SIMULATED_ENTER(type, function)                 \
  do {                                                  \
    int status_of_fault = 0;                            \
    if (simulated::fails(#function, status_of_fault)) { \
      return static_cast<type>(status_of_fault);        \
    }                                                   \
  } while (false)

// The same for a name that is itself a macro.
#define SIMULATED_ENTER_NAMED(type, function) SIMULATED_ENTER(type, function)
