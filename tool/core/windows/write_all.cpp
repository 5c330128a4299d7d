// SPDX-License-Identifier: BSD-3-Clause
#include "../system/write_all.h"

#include <io.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "windows_header.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_console(HANDLE file) {
  DWORD mode = 0;
  return GetConsoleMode(file, &mode) != 0;
}

// A console shows UTF-16, whatever its code page is.  A text has at most as many units as bytes.
static bool write_to_console(HANDLE console, std::string_view text) {
  wchar_t wide[1024];
  while (!text.empty()) {
    std::size_t size = std::min(text.size(), std::size(wide));
    if (size < text.size()) {
      // A part ends where a letter does.
      while (size > 1 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80) --size;
    }
    const int length =
        MultiByteToWideChar(CP_UTF8, 0, text.data(), static_cast<int>(size), wide, 1024);
    DWORD count = 0;
    if (WriteConsoleW(console, wide, static_cast<DWORD>(length), &count, nullptr) == 0)
      return false;
    text.remove_prefix(size);
  }
  return true;
}

bool write_all(int descriptor, arena_string text) {
  const HANDLE file = reinterpret_cast<HANDLE>(_get_osfhandle(descriptor));
  if (is_console(file)) return write_to_console(file, text);
  std::size_t done = 0;
  while (done < text.size()) {
    const auto left = static_cast<unsigned>(std::min<std::size_t>(text.size() - done, 1U << 30));
    const int count = _write(descriptor, text.data() + done, left);
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

// A closed pipe sends nothing on Windows.
void write_to_stderr(arena_string text) {
  const HANDLE file = GetStdHandle(STD_ERROR_HANDLE);
  if (is_console(file)) {
    write_to_console(file, text);
    return;
  }
  std::size_t done = 0;
  while (done < text.size()) {
    DWORD count = 0;
    const auto left = static_cast<DWORD>(text.size() - done);
    if (WriteFile(file, text.data() + done, left, &count, nullptr) == 0 || count == 0) return;
    done += count;
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
