// SPDX-License-Identifier: BSD-3-Clause
#include "../system/own_process.h"

#include <cstdio>
#include <cwchar>

#include "../../core/windows/windows_header.h"
#include "../../spawn/windows/run_here.h"
#include "../../spawn/windows/wide.h"

namespace cudnn_checked::cli {

namespace {

/// Texts that live as long as the program.
class kept_texts {
 public:
  void add(std::wstring_view text) { texts_.push_back(spawn::narrow(text)); }

  char** list() {
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
    return pointers_.data();
  }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

}  // namespace

// "=C:=C:/x" is the working directory of a drive, and no variable.
static char** read_environment() {
  static kept_texts texts;
  wchar_t* const all = ::GetEnvironmentStringsW();
  for (const wchar_t* entry = all; *entry != L'\0'; entry += std::wcslen(entry) + 1) {
    if (*entry != L'=') texts.add(entry);
  }
  ::FreeEnvironmentStringsW(all);
  return texts.list();
}

char** own_environment() {
  static char** const entries = read_environment();
  return entries;
}

std::string own_program() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD size = static_cast<DWORD>(path.size());
    const DWORD length = ::GetModuleFileNameW(nullptr, path.data(), size);
    if (length < size) return spawn::narrow_path({path.data(), length});
    path.resize(path.size() * 2);
  }
}

// A process of Windows keeps its program.
int replace_by(const std::string& file, const std::vector<std::string>& command) {
  std::fflush(nullptr);
  DWORD status = 0;
  const int wrong = spawn::run_here(file, command, status);
  if (wrong == 0) ::ExitProcess(status);
  return wrong;
}

}  // namespace cudnn_checked::cli
