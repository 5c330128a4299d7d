// SPDX-License-Identifier: BSD-3-Clause
#include "wide_text.h"

#include "../system/platform.h"
#include "windows_header.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_vector<wchar_t> to_wide(arena_string text) {
  const int size = static_cast<int>(text.size());
  const int room = MultiByteToWideChar(CP_UTF8, 0, text.c_str(), size, nullptr, 0);
  arena_vector<wchar_t> wide(static_cast<std::size_t>(room) + 1);
  wchar_t* const target = wide.in_place().begin();
  MultiByteToWideChar(CP_UTF8, 0, text.c_str(), size, target, room);
  target[room] = L'\0';
  return wide;
}

arena_string to_utf8(const wchar_t* text, std::size_t length) {
  const int size = static_cast<int>(length);
  const int room = WideCharToMultiByte(CP_UTF8, 0, text, size, nullptr, 0, nullptr, nullptr);
  if (room <= 0) return {};
  string_builder made;
  char* const target = made.extend(static_cast<std::size_t>(room));
  WideCharToMultiByte(CP_UTF8, 0, text, size, target, room, nullptr, nullptr);
  return made.take();
}

arena_string path_from_wide(const wchar_t* text, std::size_t length) {
  return plain_spelling(to_utf8(text, length));
}

arena_vector<wchar_t> path_to_wide(arena_string path) {
  arena_vector<wchar_t> wide = to_wide(path);
  for (wchar_t& c : wide.in_place()) {
    if (c == L'/') c = L'\\';
  }
  if (path.size() == 2 && path[1] == ':') return to_wide(path + "\\");
  // Microsoft, "Maximum Path Length Limitation".
  if (path.size() < MAX_PATH || path.size() < 3 || path[1] != ':') return wide;
  arena_vector<wchar_t> longer;
  for (const wchar_t c : {L'\\', L'\\', L'?', L'\\'}) longer.push_back(c);
  for (const wchar_t c : wide) longer.push_back(c);
  return longer;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
