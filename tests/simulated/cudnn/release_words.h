// SPDX-License-Identifier: BSD-3-Clause
//
// What a library knows of its own release.  Only release_words.cpp is compiled for each release:
// what asks for it here is the same text for all releases of a major one, and the compiler's cache
// has it.
#pragma once

namespace simulated {

struct release_words {
  unsigned word;     // as in the real version words: 0x00091300 is 9.19.0
  unsigned version;  // CUDNN_VERSION of the release
  int major;
  int minor;
  int patch;
  int cudart;  // what cudnnGetCudartVersion() answers
  int lowest_architecture;
  int max_device;
};

extern const release_words own_release;

struct services;

/// The graph library's services (in cuDNN 8: ops_infer's) by a symbol that only this release has,
/// or only the releases of this minor one: the loader does not load the library with another.
const services* services_of_release();
const services* services_of_minor_release();

}  // namespace simulated
