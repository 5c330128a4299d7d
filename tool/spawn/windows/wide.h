// SPDX-License-Identifier: BSD-3-Clause
//
// Texts of this program are UTF-8, those of Windows UTF-16.
#pragma once

#include <string>
#include <string_view>

#include "../../core/windows/windows_header.h"

namespace cudnn_checked::spawn {

inline std::wstring wide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  const int length = ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0);
  std::wstring result(static_cast<std::size_t>(length), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, result.data(), length);
  return result;
}

inline std::string narrow(std::wstring_view text) {
  const int size = static_cast<int>(text.size());
  const int length =
      ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, nullptr, 0, nullptr, nullptr);
  std::string result(static_cast<std::size_t>(length), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), size, result.data(), length, nullptr, nullptr);
  return result;
}

/// "C:/x/y" -> "C:\x\y": not every function of Windows takes a slash.
inline std::wstring wide_path(std::string_view path) {
  std::wstring result = wide(path);
  for (wchar_t& c : result) {
    if (c == L'/') c = L'\\';
  }
  return result;
}

inline std::string narrow_path(std::wstring_view path) {
  std::string result = narrow(path);
  for (char& c : result) {
    if (c == '\\') c = '/';
  }
  return result;
}

/// errno for the error of a function of Windows that opens or starts a file.
int error_number(DWORD error);

}  // namespace cudnn_checked::spawn
