// SPDX-License-Identifier: BSD-3-Clause
//
// Which release this is; SIMULATED_* come from simulated_cudnn.cmake.  No header of the system or
// of cuDNN: this file is compiled for each library of each release.
#include "release_words.h"

#define SIMULATED_EXPORT extern "C" __attribute__((visibility("default")))
#define SIMULATED_WORD (SIMULATED_MAJOR << 16 | SIMULATED_MINOR << 8 | SIMULATED_PATCH)
#define SIMULATED_VERSION                                                            \
  (SIMULATED_MAJOR * (SIMULATED_MAJOR >= 9 ? 10000 : 1000) + SIMULATED_MINOR * 100 + \
   SIMULATED_PATCH)
#define SIMULATED_PASTE3(a, b, c) a##b##_##c
#define SIMULATED_PASTE4(a, b, c, d) a##b##_##c##_##d
#define SIMULATED_NAME3(a, b, c) SIMULATED_PASTE3(a, b, c)
#define SIMULATED_NAME4(a, b, c, d) SIMULATED_PASTE4(a, b, c, d)

// Symbols whose names carry the release: a library of another one does not find them, so that the
// loader rejects it, as it rejects the real ones.
#define SIMULATED_MINOR_SYMBOL SIMULATED_NAME3(cudnn_simulated_, SIMULATED_MAJOR, SIMULATED_MINOR)
#define SIMULATED_PATCH_SYMBOL \
  SIMULATED_NAME4(cudnn_simulated_, SIMULATED_MAJOR, SIMULATED_MINOR, SIMULATED_PATCH)

using namespace simulated;

extern const release_words simulated::own_release = {SIMULATED_WORD,
                                                     SIMULATED_VERSION,
                                                     SIMULATED_MAJOR,
                                                     SIMULATED_MINOR,
                                                     SIMULATED_PATCH,
                                                     SIMULATED_CUDNN_CUDART,
                                                     SIMULATED_LOWEST_ARCHITECTURE,
                                                     SIMULATED_MAX_DEVICE};

#ifdef SIMULATED_OWN_WORD
SIMULATED_EXPORT const unsigned SIMULATED_OWN_WORD = SIMULATED_WORD;
#endif

#ifdef SIMULATED_PROVIDES_SERVICES
extern "C" const services* cudnn_simulated_services();
SIMULATED_EXPORT const services* SIMULATED_MINOR_SYMBOL() { return cudnn_simulated_services(); }
SIMULATED_EXPORT const services* SIMULATED_PATCH_SYMBOL() { return cudnn_simulated_services(); }
#endif

#ifdef SIMULATED_NEEDS_MINOR
extern "C" const services* SIMULATED_MINOR_SYMBOL();
const services* simulated::services_of_minor_release() { return SIMULATED_MINOR_SYMBOL(); }
#endif

#ifdef SIMULATED_NEEDS_RELEASE
extern "C" const services* SIMULATED_PATCH_SYMBOL();
const services* simulated::services_of_release() { return SIMULATED_PATCH_SYMBOL(); }
#endif
