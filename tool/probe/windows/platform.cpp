// SPDX-License-Identifier: BSD-3-Clause
#include "../platform.h"

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
// After windows.h.
#include <io.h>
#include <psapi.h>

namespace cudnn_checked::probe {

static std::vector<HMODULE> modules_here() {
  std::vector<HMODULE> modules(1024);
  DWORD bytes = 0;
  while (true) {
    const DWORD room = static_cast<DWORD>(modules.size() * sizeof(HMODULE));
    if (K32EnumProcessModules(GetCurrentProcess(), modules.data(), room, &bytes) == 0) return {};
    if (bytes <= room) break;
    modules.resize(bytes / sizeof(HMODULE) + 64);
  }
  modules.resize(bytes / sizeof(HMODULE));
  return modules;
}

static std::string path_of(HMODULE module) {
  std::wstring wide(32768, L'\0');
  const DWORD length = GetModuleFileNameW(module, wide.data(), static_cast<DWORD>(wide.size()));
  const int units = static_cast<int>(length);
  const int bytes =
      WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, nullptr, 0, nullptr, nullptr);
  std::string path(static_cast<std::size_t>(bytes), '\0');
  (void)WideCharToMultiByte(CP_UTF8, 0, wide.data(), units, path.data(), bytes, nullptr, nullptr);
  for (char& c : path) c = c == '\\' ? '/' : c;
  return path;
}

/// "cudnn_ops64_9.dll", in any case.
static bool is_of_cudnn(const std::string& path) {
  std::string name = path.substr(path.rfind('/') + 1).substr(0, 5);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name == "cudnn";
}

// Windows has no function that searches all loaded libraries.
any_function find_function(const char* name) {
  for (const HMODULE module : modules_here()) {
    if (!is_of_cudnn(path_of(module))) continue;
    const FARPROC found = GetProcAddress(module, name);
    if (found != nullptr) return reinterpret_cast<any_function>(found);
  }
  return nullptr;
}

// The first module is the program.
std::vector<std::string> mapped_libraries() {
  std::vector<std::string> paths;
  const std::vector<HMODULE> modules = modules_here();
  for (std::size_t i = 1; i < modules.size(); ++i) {
    const std::string path = path_of(modules[i]);
    if (!path.empty()) paths.push_back(path);
  }
  return paths;
}

void set_where_unset(const char* name, const char* value) {
  if (GetEnvironmentVariableA(name, nullptr, 0) == 0) (void)SetEnvironmentVariableA(name, value);
}

void write_all(int file, const std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const int wrote = ::_write(file, text.data() + at, static_cast<unsigned>(text.size() - at));
    if (wrote <= 0) return;
    at += static_cast<std::size_t>(wrote);
  }
}

void show_no_dialogs() {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
}

}  // namespace cudnn_checked::probe
