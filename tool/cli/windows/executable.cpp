// SPDX-License-Identifier: BSD-3-Clause
#include "../system/executable.h"

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

// Nothing of the file gives a program more rights than whoever starts it has.
execution_mode execution_of(const arena_string&) { return execution_mode::ordinary; }

}  // namespace cudnn_checked::cli
