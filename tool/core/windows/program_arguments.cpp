// SPDX-License-Identifier: BSD-3-Clause
#include "../system/program_arguments.h"

#include <cstring>

#include "../model/arena.h"
#include "wide_text.h"
#include "windows_header.h"

#include <shellapi.h>

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// The C runtime's words are in the code page of the system, in which a character can be missing.
char** program_arguments(int count, char** words) {
  int number = 0;
  wchar_t** const all = CommandLineToArgvW(GetCommandLineW(), &number);
  if (all == nullptr || number != count) return words;
  for (int i = 0; i < count; ++i) {
    const arena_string word = to_utf8(all[i], wcslen(all[i]));
    words[i] = static_cast<char*>(take_memory(word.size() + 1, 1));
    std::memcpy(words[i], word.c_str(), word.size() + 1);
  }
  LocalFree(all);
  return words;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
