// SPDX-License-Identifier: BSD-3-Clause
#include "../report_file.h"

#include "../../core/model/format.h"
#include "../../core/windows/wide_text.h"
#include "../../core/windows/windows_header.h"

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

static DWORD write_new_file(arena_string path, arena_string text) {
  const HANDLE file = CreateFileW(path_to_wide(path).begin(), GENERIC_WRITE, 0, nullptr,
                                  CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return GetLastError();
  DWORD count = 0;
  const auto size = static_cast<DWORD>(text.size());
  const bool written = WriteFile(file, text.data(), size, &count, nullptr) != 0 && count == size;
  const DWORD error = written ? ERROR_SUCCESS : GetLastError();
  CloseHandle(file);
  return error;
}

// Another file takes the place of the older report, so that it is never seen in part.
arena_string write_report_file(arena_string path, arena_string text) {
  const arena_string beside = format("%s.%d.part", path, static_cast<int>(GetCurrentProcessId()));
  DWORD error = write_new_file(beside, text);
  if (error != ERROR_SUCCESS) return text_of_error(error);
  if (MoveFileExW(path_to_wide(beside).begin(), path_to_wide(path).begin(),
                  MOVEFILE_REPLACE_EXISTING) != 0) {
    return {};
  }
  error = GetLastError();
  DeleteFileW(path_to_wide(beside).begin());
  return text_of_error(error);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
