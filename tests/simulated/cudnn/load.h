// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "release.h"

namespace simulated {

/// Asks the loader for a sub-library of cuDNN 9 by the four names that the real one asks for, its
/// own release first: libcudnn_ops.so.9.14.0, .so.9.14, .so.9, .so.  Null where none can be loaded.
inline void* load_sublibrary(const char* role, std::string* names = nullptr) {
  const std::string base = std::string("libcudnn_") + role + ".so";
  const std::string major = base + "." + std::to_string(own_release.major);
  const std::string minor = major + "." + std::to_string(own_release.minor);
  const std::string patch = minor + "." + std::to_string(own_release.patch);
  if (names != nullptr) *names = patch + ", " + minor + ", " + major + ", " + base;
  for (const std::string* name : {&patch, &minor, &major, &base}) {
    void* const library = dlopen(name->c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
  }
  return nullptr;
}

}  // namespace simulated
