// SPDX-License-Identifier: BSD-3-Clause
//
// A guarded program, and with PLUGIN a guarded DLL that the program loads and asks.
#include <windows.h>

#include <cstdio>
#include <cstring>

#include "cudnn_checked/guard.hpp"

#ifdef PLUGIN
extern "C" __declspec(dllexport) void plugin_require() { cudnn_checked::require(); }
#else
extern "C" size_t cudnnGetVersion(void);

struct initialiser {
  initialiser() { std::fprintf(stderr, "an initialiser of the program\n"); }
};
static initialiser first;

static int ask_plugin() {
  const HMODULE plugin = LoadLibraryA("plugin.dll");
  if (plugin == nullptr) return 2;
  void (*require)() = nullptr;
  const FARPROC address = GetProcAddress(plugin, "plugin_require");
  std::memcpy(&require, &address, sizeof(require));
  require();
  return 0;
}

int main(int count, char** arguments) {
  if (count > 1 && std::strcmp(arguments[1], "plugin") == 0) return ask_plugin();
  if (count > 1 && std::strcmp(arguments[1], "call") == 0) return cudnnGetVersion() == 0 ? 3 : 0;
  const cudnn_checked::report found = cudnn_checked::check();
  for (const cudnn_checked::finding& f : found.findings()) std::printf("%s\n", f.name.c_str());
  std::printf("main, verdict %d\n", static_cast<int>(found.verdict()));
  return 0;
}
#endif
