// SPDX-License-Identifier: BSD-3-Clause
#include "windows_system.h"

#include <algorithm>

#include "../model/paths.h"
#include "../system/own_system.h"
#include "../system/platform.h"
#include "wide_text.h"
#include "windows_header.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static open_result result_of_error(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_DIRECTORY:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
      return open_result::missing;
    case ERROR_CANT_RESOLVE_FILENAME:
      return open_result::link_loop;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      return open_result::denied;
    default:
      return open_result::failed;
  }
}

class windows_file final : public byte_source {
 public:
  windows_file(HANDLE file, unsigned long long size) : file_(file), size_(size) {}
  ~windows_file() override { CloseHandle(file_); }
  windows_file(const windows_file&) = delete;
  windows_file& operator=(const windows_file&) = delete;

  unsigned long long size() const override { return size_; }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    auto* bytes = static_cast<char*>(target);
    while (count != 0) {
      OVERLAPPED place = {};
      place.Offset = static_cast<DWORD>(offset);
      place.OffsetHigh = static_cast<DWORD>(offset >> 32);
      DWORD got = 0;
      const DWORD piece = static_cast<DWORD>(std::min<std::size_t>(count, 1U << 30));
      if (ReadFile(file_, bytes, piece, &got, &place) == 0 || got == 0) return false;
      bytes += got;
      offset += got;
      count -= got;
    }
    return true;
  }

 private:
  HANDLE file_;
  unsigned long long size_;
};

bool windows_system::variable(const char* name, arena_string& value) const {
  const arena_vector<wchar_t> wide = to_wide(name);
  const DWORD room = GetEnvironmentVariableW(wide.begin(), nullptr, 0);
  if (room == 0) return false;
  arena_vector<wchar_t> text(room);
  const DWORD length = GetEnvironmentVariableW(wide.begin(), text.in_place().begin(), room);
  if (length >= room) return false;
  value = to_utf8(text.begin(), length);
  return true;
}

static HANDLE open_to_read(arena_string path, DWORD flags) {
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  return CreateFileW(path_to_wide(path).begin(), GENERIC_READ, shared, nullptr, OPEN_EXISTING,
                     flags, nullptr);
}

// Only a file on a disk, and no pipe or "NUL", is opened a second time.
open_result windows_system::open(arena_string path, byte_source** source) const {
  const DWORD attributes = GetFileAttributesW(path_to_wide(path).begin());
  if (attributes == INVALID_FILE_ATTRIBUTES) return result_of_error(GetLastError());
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return open_result::directory;
  const HANDLE file = open_to_read(path, FILE_ATTRIBUTE_NORMAL);
  if (file == INVALID_HANDLE_VALUE) return result_of_error(GetLastError());
  LARGE_INTEGER size = {};
  if (GetFileType(file) != FILE_TYPE_DISK || GetFileSizeEx(file, &size) == 0) {
    CloseHandle(file);
    return open_result::device;
  }
  *source = new windows_file(file, static_cast<unsigned long long>(size.QuadPart));
  return open_result::opened;
}

bool windows_system::read_text(arena_string path, arena_string& text) const {
  constexpr unsigned long long most = 16U << 20;
  byte_source* source = nullptr;
  if (open(path, &source) != open_result::opened) return false;
  const unsigned long long size = source->size();
  string_builder all;
  const bool fits = size <= most;
  const bool read = fits && source->read(0, all.extend(static_cast<std::size_t>(size)),
                                         static_cast<std::size_t>(size));
  delete source;
  if (read) text = all.take();
  return read;
}

open_result windows_system::list(arena_string path, const char* prefixes,
                                 arena_vector<arena_string>& names) const {
  WIN32_FIND_DATAW entry;
  const HANDLE search = FindFirstFileW(path_to_wide(path + "/*").begin(), &entry);
  if (search == INVALID_HANDLE_VALUE) return result_of_error(GetLastError());
  do {
    const arena_string name = to_utf8(entry.cFileName, wcslen(entry.cFileName));
    if (name == "." || name == ".." || !starts_with_one(name, prefixes)) continue;
    names.push_back(name);
  } while (FindNextFileW(search, &entry) != 0);
  const DWORD error = GetLastError();
  FindClose(search);
  return error == ERROR_NO_MORE_FILES ? open_result::opened : open_result::failed;
}

arena_string windows_system::real_path(arena_string path) const {
  if (path.empty()) return {};
  constexpr DWORD shared = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE file = CreateFileW(path_to_wide(path).begin(), 0, shared, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (file == INVALID_HANDLE_VALUE) return {};
  const DWORD room = GetFinalPathNameByHandleW(file, nullptr, 0, FILE_NAME_NORMALIZED);
  arena_vector<wchar_t> text(static_cast<std::size_t>(room) + 1);
  const DWORD length = room == 0 ? 0
                                 : GetFinalPathNameByHandleW(file, text.in_place().begin(), room,
                                                             FILE_NAME_NORMALIZED);
  CloseHandle(file);
  return length == 0 || length > room ? path : path_from_wide(text.begin(), length);
}

bool windows_system::may_be_written(arena_string path) const {
  const DWORD attributes = GetFileAttributesW(path_to_wide(path).begin());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY) == 0;
}

arena_string path_of_module(void* module) {
  arena_vector<wchar_t> text(32768);
  const DWORD length =
      GetModuleFileNameW(static_cast<HMODULE>(module), text.in_place().begin(), 32768);
  return path_from_wide(text.begin(), length);
}

arena_string windows_system::program_path() const { return path_of_module(nullptr); }

arena_string windows_system::working_directory() const {
  arena_vector<wchar_t> text(32768);
  const DWORD length = GetCurrentDirectoryW(32768, text.in_place().begin());
  return length < 32768 ? path_from_wide(text.begin(), length) : arena_string();
}

// Microsoft, "Dynamic-link library search order".
arena_vector<arena_string> windows_system::default_directories() const {
  wchar_t text[MAX_PATH];
  arena_vector<arena_string> directories;
  UINT length = GetSystemDirectoryW(text, MAX_PATH);
  if (length != 0) directories.push_back(path_from_wide(text, length));
  length = GetWindowsDirectoryW(text, MAX_PATH);
  if (length == 0) return directories;
  const arena_string windows = path_from_wide(text, length);
  directories.push_back(windows + "/system");
  directories.push_back(windows);
  return directories;
}

// "C:" stands for "C:/", since join_path puts a slash behind it; "/x" is of the drive that the
// working directory is on.
bool is_absolute(arena_string path) {
  return starts_with(path, "/") ||
         (path.size() >= 2 && path[1] == ':' && (path.size() == 2 || path[2] == '/'));
}

arena_string plain_slashes(arena_string text) {
  string_builder made;
  for (const char c : text) made += c == '\\' ? '/' : c;
  return made.take();
}

// `set X="C:\a b"` puts the quotes into the value, and no file has one in its name.  Microsoft,
// "Naming Files, Paths, and Namespaces": "\\?\C:\x" and "\\?\UNC\server\share" are "C:\x" and
// "\\server\share".
arena_string plain_spelling(arena_string path) {
  string_builder unquoted;
  for (const char c : plain_slashes(path)) {
    if (c != '"') unquoted += c;
  }
  arena_string plain = unquoted.take();
  if (starts_with(plain, "//?/")) {
    const bool is_share = starts_with(plain, "//?/UNC/");
    plain = is_share ? "/" + plain.substr(7) : plain.substr(4);
  }
  while (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  const bool has_low_drive =
      plain.size() > 1 && plain[1] == ':' && plain[0] >= 'a' && plain[0] <= 'z';
  if (!has_low_drive) return plain;
  const char drive[] = {static_cast<char>(plain[0] - 'a' + 'A'), '\0'};
  return drive + plain.substr(1);
}

static bool has_drive(arena_string path) { return path.size() > 1 && path[1] == ':'; }

// Microsoft, "Naming Files, Paths, and Namespaces", "Fully Qualified vs. Relative Paths": "C:x" is
// relative to the directory of that drive, which cmd keeps in the variable "=C:".  "/x" stays as it
// is: a machine that builds for Windows names its own files so.
arena_string absolute_path(const system_interface& os, arena_string typed) {
  const arena_string path = plain_spelling(typed);
  const bool of_drive = has_drive(path) && (path.size() == 2 ? typed.size() == 2 : path[2] != '/');
  if (!of_drive) {
    return is_absolute(path) ? path : join_path(os.working_directory(), path);
  }
  const arena_string drive = path.substr(0, 2);
  arena_string directory = os.working_directory();
  if (!starts_with(directory, std::string_view(drive))) {
    directory = plain_spelling(value_of(os, ("=" + drive).c_str()));
    if (directory.empty()) directory = drive;
  }
  return join_path(directory, path.substr(2));
}

execution_mode own_execution() { return execution_mode::ordinary; }

const system_interface& own_system(execution_mode) { return *make_in_arena<windows_system>(); }

long long microseconds_now() {
  LARGE_INTEGER now, second;
  QueryPerformanceCounter(&now);
  QueryPerformanceFrequency(&second);
  return now.QuadPart / second.QuadPart * 1000000 +
         now.QuadPart % second.QuadPart * 1000000 / second.QuadPart;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
