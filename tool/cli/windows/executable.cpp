// SPDX-License-Identifier: BSD-3-Clause
#include "../system/executable.h"

#include "../../core/system/platform.h"
#include "../../core/windows/wide_text.h"
#include "../../spawn/windows/wide.h"

namespace cudnn_checked::cli {

bool has_execute_right(const std::string& path) {
  const HANDLE file = ::CreateFileW(spawn::wide_path(path).c_str(), FILE_EXECUTE,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  ::CloseHandle(file);
  return true;
}

static arena_string found_in(const arena_vector<wchar_t>& directories, const arena_string& name) {
  constexpr DWORD most = 32768;
  arena_vector<wchar_t> path(most);
  const DWORD length = ::SearchPathW(directories.begin(), to_wide(name).begin(), nullptr, most,
                                     path.in_place().begin(), nullptr);
  return length == 0 || length >= most ? arena_string() : path_from_wide(path.begin(), length);
}

// As cmd finds it, by the ending .exe alone of those in PATHEXT: how cmd itself reads the words of
// a batch file is another matter.
arena_string file_of_word(const arena_string& word) {
  const arena_string typed = plain_spelling(word);
  const bool is_path = typed.find_first_of("/:") != arena_string::npos;
  arena_string directories;
  (void)own_system().variable("PATH", directories);
  if (::NeedCurrentDirectoryForExePathW(to_wide(word).begin()) != 0) {
    directories = ".;" + directories;
  }
  for (const arena_string& name : {word + ".exe", word}) {
    const arena_string file = found_in(to_wide(directories), name);
    if (!file.empty()) return file;
  }
  return is_path ? typed : arena_string();
}

// No property of a file gives a program more rights than its user has.
execution_mode execution_of(const arena_string&) { return execution_mode::ordinary; }

}  // namespace cudnn_checked::cli
