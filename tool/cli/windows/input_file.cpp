// SPDX-License-Identifier: BSD-3-Clause
#include "../system/input_file.h"

#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "../../spawn/windows/wide.h"
#include "../system/console.h"

namespace cudnn_checked::cli {

// A named pipe, which would be waited for, and a device are no logs; standard input may be either.
input_file::input_file(const std::string& name) {
  if (name == "-") {
    file_ = standard_input;
    return;
  }
  const std::wstring path = spawn::wide_path(name);
  const DWORD attributes = ::GetFileAttributesW(path.c_str());
  if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) {
    wrong_ = "a directory";
    return;
  }
  const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) {
    const int number = spawn::error_number(::GetLastError());
    wrong_ = number == ENOENT ? "no such file" : std::strerror(number);
  } else if (::GetFileType(file) != FILE_TYPE_DISK) {
    wrong_ = "not a file; for standard input: --text -";
    ::CloseHandle(file);
  } else {
    file_ = ::_open_osfhandle(reinterpret_cast<std::intptr_t>(file), _O_RDONLY | _O_BINARY);
  }
}

input_file::~input_file() {
  if (file_ >= 0 && file_ != standard_input) ::_close(file_);
}

std::size_t input_file::read(char* bytes, std::size_t size) {
  if (!wrong_.empty()) return 0;
  const int count = ::_read(file_, bytes, static_cast<unsigned>(size));
  if (count < 0) wrong_ = std::strerror(errno);
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

}  // namespace cudnn_checked::cli
