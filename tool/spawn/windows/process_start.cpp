// SPDX-License-Identifier: BSD-3-Clause
#include "process_start.h"

#include <io.h>

#include <cstdint>
#include <cstring>

#include "wide.h"

namespace cudnn_checked::spawn {

// "Parsing C++ command-line arguments" of Microsoft's C++ documentation: a backslash is itself
// unless a quotation mark follows.
static void add_word(const std::wstring& word, std::wstring& line) {
  if (!line.empty()) line += L' ';
  if (!word.empty() && word.find_first_of(L" \t\n\v\"") == std::wstring::npos) {
    line += word;
    return;
  }
  line += L'"';
  std::size_t backslashes = 0;
  for (const wchar_t c : word) {
    if (c == L'"') line.append(backslashes + 1, L'\\');
    backslashes = c == L'\\' ? backslashes + 1 : 0;
    line += c;
  }
  line.append(backslashes, L'\\');
  line += L'"';
}

std::wstring command_line_of(const std::vector<std::string>& words) {
  std::wstring line;
  for (const std::string& word : words) add_word(wide(word), line);
  return line;
}

HANDLE new_job(DWORD more_limits) {
  const HANDLE job = ::CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | more_limits;
  ::SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits);
  return job;
}

inherited_files::~inherited_files() {
  for (const HANDLE handle : handles_) ::CloseHandle(handle);
}

// The flags of the C runtime's table of files: open, a pipe, a device.
static constexpr BYTE is_open = 0x01;
static constexpr BYTE is_pipe = 0x08;
static constexpr BYTE is_device = 0x40;

bool inherited_files::add(int file) {
  HANDLE copy = INVALID_HANDLE_VALUE;
  BYTE flags = is_open;
  if (file < 0) {
    SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
    copy = ::CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                         &inherited, OPEN_EXISTING, 0, nullptr);
    flags |= is_device;
  } else {
    const HANDLE own = reinterpret_cast<HANDLE>(::_get_osfhandle(file));
    const HANDLE here = ::GetCurrentProcess();
    if (::DuplicateHandle(here, own, here, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) == 0) {
      return false;
    }
    if (::GetFileType(copy) == FILE_TYPE_PIPE) flags |= is_pipe;
  }
  if (copy == INVALID_HANDLE_VALUE) return false;
  handles_.push_back(copy);
  flags_.push_back(flags);
  return true;
}

// The number of files, the flags of each, the handle of each: ioinit.c of the C runtime.
std::vector<BYTE> inherited_files::runtime_block() const {
  const auto count = static_cast<std::int32_t>(handles_.size());
  std::vector<BYTE> block(sizeof count + handles_.size() * (1 + sizeof(HANDLE)));
  BYTE* at = block.data();
  std::memcpy(at, &count, sizeof count);
  at += sizeof count;
  std::memcpy(at, flags_.data(), flags_.size());
  at += flags_.size();
  std::memcpy(at, handles_.data(), handles_.size() * sizeof(HANDLE));
  return block;
}

}  // namespace cudnn_checked::spawn
