// SPDX-License-Identifier: BSD-3-Clause
#include "../refusal.h"

#include <io.h>

#include <algorithm>

#include "../../core/windows/windows_header.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool write_all(int descriptor, arena_string text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const auto left = static_cast<unsigned>(std::min<std::size_t>(text.size() - done, 1U << 30));
    const int count = _write(descriptor, text.data() + done, left);
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

// A closed pipe sends nothing on Windows.  A console gets UTF-8 if that is its code page; else
// letters beyond ASCII, which paths alone have, look wrong.
void write_to_stderr(arena_string text) {
  const HANDLE file = GetStdHandle(STD_ERROR_HANDLE);
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
