// SPDX-License-Identifier: BSD-3-Clause
#include "../place.h"

#include <filesystem>
#include <string>

#include "../../core/system/platform.h"
#include "../../core/windows/windows_header.h"

namespace cudnn_checked::repairs {

static std::filesystem::path path_of(const arena_string& place) {
  return std::filesystem::u8path(std::string(place));
}

// A file is replaced, which is a matter of its folder.
static bool is_folder_without_right(const arena_string& place) {
  const HANDLE folder = ::CreateFileW(path_of(place).c_str(), FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  const bool is_denied = folder == INVALID_HANDLE_VALUE && ::GetLastError() == ERROR_ACCESS_DENIED;
  if (folder != INVALID_HANDLE_VALUE) ::CloseHandle(folder);
  return is_denied;
}

obstacle obstacle_to_writing(const arena_string& place) {
  std::error_code absent;
  const bool is_folder = std::filesystem::is_directory(path_of(place), absent);
  if (is_folder && is_folder_without_right(place)) return obstacle::no_right;
  std::uint64_t bytes = 0;
  return is_folder && read_free_space(place, bytes) && bytes == 0 ? obstacle::full : obstacle::none;
}

// Not known: a program that has loaded a DLL keeps it in its place.
obstacle obstacle_to_replacing(const arena_string&) { return obstacle::none; }

bool read_free_space(const arena_string& place, std::uint64_t& bytes) {
  ULARGE_INTEGER available = {};
  if (::GetDiskFreeSpaceExW(path_of(place).c_str(), &available, nullptr, nullptr) == 0) {
    return false;
  }
  bytes = available.QuadPart;
  return true;
}

std::string value_of_marker(const std::string& variable) {
  if (variable == "platform_system") return "Windows";
  if (variable == "sys_platform") return "win32";
  if (variable == "os_name") return "nt";
  return variable == "platform_machine" ? "AMD64" : "";
}

arena_vector<arena_string> settings_of_pip(const system_interface& os, const arena_string& folder) {
  return {folder + "/pip.ini", path_in_variable(os, "APPDATA") + "/pip/pip.ini",
          path_in_variable(os, "USERPROFILE") + "/pip/pip.ini",
          path_in_variable(os, "ProgramData") + "/pip/pip.ini"};
}

arena_vector<arena_string> settings_of_uv(const system_interface& os) {
  return {path_in_variable(os, "APPDATA") + "/uv/uv.toml",
          path_in_variable(os, "ProgramData") + "/uv/uv.toml"};
}

bool has_loader_cache(const system_interface&) { return false; }

const char* no_file() { return "nul"; }

arena_string temporary_folder(const system_interface& os) { return path_in_variable(os, "TEMP"); }

}  // namespace cudnn_checked::repairs
