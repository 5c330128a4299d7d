// SPDX-License-Identifier: BSD-3-Clause
#include "../library.h"

#include "../../core/model/library_spelling.h"
#include "../../core/model/paths.h"
#include "../../core/model/platform_words.h"
#include "../../core/system/own_system.h"
#include "../../core/windows/wide_text.h"
#include "../../core/windows/windows_header.h"
#include "../opened.h"

namespace cudnn_checked::opened {

/// "error 126: The specified module could not be found."
static arena_string text_of_error(DWORD number, const arena_string& path) {
  constexpr DWORD most = 1024;
  const arena_vector<wchar_t> wide = path_to_wide(path);
  // For "%1 is not a valid Win32 application."
  DWORD_PTR inserted[] = {reinterpret_cast<DWORD_PTR>(wide.begin())};
  wchar_t text[most];
  DWORD length = FormatMessageW(
      FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_ARGUMENT_ARRAY | FORMAT_MESSAGE_MAX_WIDTH_MASK,
      nullptr, number, 0, text, most, reinterpret_cast<va_list*>(inserted));
  while (length != 0 && text[length - 1] == L' ') --length;
  const arena_string told = "error " + to_string(static_cast<int>(number));
  return length == 0 ? told : told + ": " + to_utf8(text, length);
}

/// Opened by its absolute path; its imports are searched in its directory first.
static HMODULE load(const arena_string& path) {
  return LoadLibraryExW(path_to_wide(path).begin(), nullptr, LOAD_WITH_ALTERED_SEARCH_PATH);
}

// It lies in the system directory, and is loaded from nowhere else.
void* open_driver_library(arena_string& error) {
  const HMODULE library =
      LoadLibraryExW(to_wide(driver_library_name()).begin(), nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
  if (library == nullptr) error = text_of_error(GetLastError(), driver_library_name());
  return library;
}

// cuDNN opens its sub-libraries by bare names: of the directories that are searched then, those of
// PATH alone can be added, in the way of a person who starts a program with this cuDNN
// ("Dynamic-link library search order"; core/windows/dll_rules.cpp).
void search_as_opened(const arena_string& library) {
  arena_string path;
  (void)own_system().variable("PATH", path);
  SetEnvironmentVariableW(L"PATH",
                          to_wide(shell_path(directory_part(library)) + ";" + path).begin());
}

void* open_cudnn_library(const arena_string& path, arena_string& error) {
  // Nobody closes a dialog box.
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  search_as_opened(path);
  const HMODULE library = load(path);
  if (library == nullptr) error = text_of_error(GetLastError(), path);
  return library;
}

// A module in the process serves every later request for its name ("Dynamic-link library search
// order", "Factors that affect searching").
bool open_for_others(const arena_string& path) { return load(path) != nullptr; }

// The wheels of CUDA that lie beside cuDNN's: core/windows/windows_dependencies.cpp.
arena_vector<arena_string> places_in_environment(const observation&, const dependency& asked) {
  arena_vector<arena_string> places;
  if (!asked.near_miss.path.empty()) places.push_back(asked.near_miss.path);
  return places;
}

void* function_of(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace cudnn_checked::opened
