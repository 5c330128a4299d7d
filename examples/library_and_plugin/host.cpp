// SPDX-License-Identifier: BSD-3-Clause
//
// A program with a library and a plugin.  It decides what follows where one of them cannot work
// here: it blurs on the CPU, and it goes on without the plugin; with --strict it ends.
//
//   usage: host [--strict] [PLUGIN]
#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#include "blur.h"
#include "blur_refusal.h"
#include "sharpen.h"

namespace {

picture make_picture() {
  picture x{16, 12, {}};
  for (int i = 0; i < x.width * x.height; ++i) x.values.push_back(static_cast<float>(i * 37 % 256));
  return x;
}

/// A function of the plugin.
template <typename T>
T* find(void* plugin, const char* name) {
  return reinterpret_cast<T*>(dlsym(plugin, name));
}

/// True where the library's work is done, on the GPU or on the CPU.
bool use_library(const picture& x, bool strict) {
  const std::string refusal = blur_refusal();
  if (!refusal.empty()) {
    std::printf("host: the library refuses cuDNN:\n%s", refusal.c_str());
    if (strict) return false;
  }
  const bool on_gpu = refusal.empty() && has_gpu();
  const picture y = on_gpu ? blur(x) : blur_on_cpu(x);
  std::printf("host: %zu numbers blurred by %s, %s\n", y.values.size(),
              on_gpu ? "cuDNN" : "the CPU",
              y.values == blur_on_cpu(x).values ? "all right" : "some wrong");
  return true;
}

bool use_plugin(picture x, const char* path) {
  void* const plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (plugin == nullptr) {
    std::printf("host: no plugin: %s\n", dlerror());
    return false;
  }
  const char* const refusal = find<decltype(sharpen_start)>(plugin, "sharpen_start")();
  if (refusal != nullptr) {
    std::printf("host: the plugin refuses to work here:\n%s", refusal);
    return false;
  }
  find<decltype(sharpen)>(plugin, "sharpen")(&x);
  std::printf("host: the plugin sharpened %zu numbers\n", x.values.size());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool strict = argc > 1 && std::strcmp(argv[1], "--strict") == 0;
  const std::string here = std::string(argv[0]).substr(0, std::string(argv[0]).rfind('/') + 1);
  const std::string plugin = argc > 1 + strict ? argv[1 + strict] : here + "sharpen.so";
  try {
    const picture x = make_picture();
    if (!use_library(x, strict)) return 1;
    if (!use_plugin(x, plugin.c_str()) && strict) return 1;
    std::printf("host: done\n");
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "host: error: %s\n", error.what());
    return 1;
  }
}
