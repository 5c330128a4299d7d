// SPDX-License-Identifier: BSD-3-Clause
#include "../system/replace_file.h"

#include <cstring>

#include "../model/format.h"
#include "../model/paths.h"
#include "wide_text.h"
#include "windows_header.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// "Access is denied."
static arena_string text_of_error(DWORD error) {
  wchar_t text[512];
  constexpr DWORD flags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS;
  DWORD length = FormatMessageW(flags, nullptr, error, 0, text, 512, nullptr);
  while (length > 0 && (text[length - 1] == L'\n' || text[length - 1] == L'\r')) --length;
  return length > 0 ? to_utf8(text, length) : "error " + to_string(static_cast<int>(error));
}

// The clock of the system has steps, so a process counts its names.
arena_string fresh_name_beside(arena_string path) {
  static unsigned count = 0;
  FILETIME now = {};
  GetSystemTimeAsFileTime(&now);
  const std::size_t steps =
      (static_cast<std::size_t>(now.dwHighDateTime) << 32U | now.dwLowDateTime) * 100 +
      count++ % 100;
  return join_path(directory_part(path), format("cudnn_checked.%d.%d.part",
                                                static_cast<int>(GetCurrentProcessId()), steps));
}

static bool write_text(HANDLE file, arena_string text) {
  DWORD count = 0;
  const auto size = static_cast<DWORD>(text.size());
  return WriteFile(file, text.data(), size, &count, nullptr) != 0 && count == size;
}

static bool reads_back(HANDLE file, arena_string text) {
  if (SetFilePointer(file, 0, nullptr, FILE_BEGIN) != 0) return false;
  char piece[4096];
  std::size_t done = 0;
  for (;;) {
    DWORD count = 0;
    if (ReadFile(file, piece, sizeof piece, &count, nullptr) == 0) return false;
    if (count == 0 && done == text.size()) return true;
    SetLastError(ERROR_CRC);
    if (count == 0 || count > text.size() - done) return false;
    if (std::memcmp(piece, text.data() + done, count) != 0) return false;
    done += count;
  }
}

static DWORD write_new_file(arena_string name, arena_string text, when_written when) {
  const HANDLE file = CreateFileW(path_to_wide(name).begin(), GENERIC_READ | GENERIC_WRITE, 0,
                                  nullptr, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return GetLastError();
  const bool stored =
      write_text(file, text) && (when == when_written::at_once || FlushFileBuffers(file) != 0);
  const DWORD error = stored && reads_back(file, text) ? ERROR_SUCCESS : GetLastError();
  CloseHandle(file);
  if (error != ERROR_SUCCESS) DeleteFileW(path_to_wide(name).begin());
  return error;
}

// NUL, CON, a pipe.
static bool is_on_no_disk(arena_string path) {
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(path_to_wide(path).begin(), GENERIC_WRITE, shared, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  const DWORD type = GetFileType(file);
  CloseHandle(file);
  return type == FILE_TYPE_CHAR || type == FILE_TYPE_PIPE;
}

static DWORD write_in_place(arena_string path, arena_string text) {
  const HANDLE file = CreateFileW(path_to_wide(path).begin(), GENERIC_WRITE, 0, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return GetLastError();
  const DWORD error = write_text(file, text) ? ERROR_SUCCESS : GetLastError();
  CloseHandle(file);
  return error;
}

bool is_program_or_library(arena_string path) {
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(path_to_wide(path).begin(), GENERIC_READ, shared, nullptr,
                                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return false;
  char magic[2] = {};
  DWORD count = 0;
  const bool is_one = GetFileType(file) == FILE_TYPE_DISK &&
                      ReadFile(file, magic, sizeof magic, &count, nullptr) != 0 &&
                      count == sizeof magic && magic[0] == 'M' && magic[1] == 'Z';
  CloseHandle(file);
  return is_one;
}

arena_string replace_file(arena_string path, arena_string text, when_written when) {
  if (is_on_no_disk(path)) {
    const DWORD error = write_in_place(path, text);
    return error == ERROR_SUCCESS ? arena_string() : text_of_error(error);
  }
  if (is_program_or_library(path)) return program_stays;
  const arena_string name = fresh_name_beside(path);
  DWORD error = write_new_file(name, text, when);
  if (error != ERROR_SUCCESS) return text_of_error(error);
  if (MoveFileExW(path_to_wide(name).begin(), path_to_wide(path).begin(),
                  MOVEFILE_REPLACE_EXISTING) != 0) {
    return {};
  }
  error = GetLastError();
  DeleteFileW(path_to_wide(name).begin());
  return text_of_error(error);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
