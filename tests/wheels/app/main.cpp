// SPDX-License-Identifier: BSD-3-Clause
//
// A guarded program that needs no GPU.  Prints the release of cuDNN, then for each pair of
// arguments, a library of cuDNN and what it opens by name when it computes, the file that its
// dlopen gives.  With NVRTC it compiles a kernel, for which that opens its builtins.
#include <cudnn.h>
#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

extern "C" void* opened_from(const char* library, const char* name);

static void compile(void* nvrtc) {
  using create_function =
      int (*)(void**, const char*, const char*, int, const char* const*, const char* const*);
  using compile_function = int (*)(void*, int, const char* const*);
  const auto create = reinterpret_cast<create_function>(dlsym(nvrtc, "nvrtcCreateProgram"));
  const auto run = reinterpret_cast<compile_function>(dlsym(nvrtc, "nvrtcCompileProgram"));
  const char* text = "extern \"C\" __global__ void k(float* x) { x[0] = __cosf(x[1]); }";
  const char* option = "--gpu-architecture=compute_75";
  void* program = nullptr;
  const int made = create(&program, text, "k.cu", 0, nullptr, nullptr);
  std::printf("compiled %d\n", made != 0 ? made : run(program, 1, &option));
}

int main(int count, char** arguments) {
  std::printf("version %zu\n", cudnnGetVersion());
  for (int i = 1; i + 1 < count; i += 2) {
    void* handle = opened_from(arguments[i], arguments[i + 1]);
    link_map* map = nullptr;
    if (handle == nullptr || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) continue;
    std::printf("opened %s %s\n", arguments[i + 1], map->l_name);
    if (std::strstr(arguments[i + 1], "nvrtc") != nullptr) compile(handle);
  }
  std::fflush(stdout);
  _Exit(0);  // without the destructors of CUDA's libraries
}
