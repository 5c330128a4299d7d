// SPDX-License-Identifier: BSD-3-Clause
#include "../system/process_facts.h"

#include "../../core/windows/windows_header.h"

#include <psapi.h>
#include <winternl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "../../core/library/library_file.h"
#include "../../core/model/library_name.h"
#include "../../core/model/paths.h"
#include "../../core/pe/pe_image.h"
#include "../../spawn/windows/wide.h"

namespace cudnn_checked::cli {

namespace {

class opened_process {
 public:
  explicit opened_process(DWORD pid)
      : handle_(::OpenProcess(PROCESS_QUERY_INFORMATION | PROCESS_VM_READ, FALSE, pid)) {}
  ~opened_process() {
    if (handle_ != nullptr) ::CloseHandle(handle_);
  }
  opened_process(const opened_process&) = delete;
  opened_process& operator=(const opened_process&) = delete;

  HANDLE get() const { return handle_; }

  bool read(std::uintptr_t address, void* target, std::size_t count) const {
    SIZE_T got = 0;
    return ::ReadProcessMemory(handle_, reinterpret_cast<const void*>(address), target, count,
                               &got) != 0 &&
           got == count;
  }
  template <class T>
  bool read(std::uintptr_t address, T& target) const {
    return read(address, &target, sizeof target);
  }

 private:
  HANDLE handle_;
};

/// The headers of a module, as the file had them.
class headers_of_module final : public byte_source {
 public:
  headers_of_module(const opened_process& process, HMODULE module)
      : process_(process), begin_(reinterpret_cast<std::uintptr_t>(module)) {
    IMAGE_DOS_HEADER dos;
    IMAGE_NT_HEADERS64 headers;
    if (process.read(begin_, dos) &&
        process.read(begin_ + static_cast<std::uintptr_t>(dos.e_lfanew), headers)) {
      size_ = headers.OptionalHeader.SizeOfHeaders;
    }
  }
  unsigned long long size() const override { return size_; }
  bool read(unsigned long long offset, void* target, std::size_t count) const override {
    return offset <= size_ && count <= size_ - offset &&
           process_.read(begin_ + static_cast<std::uintptr_t>(offset), target, count);
  }

 private:
  const opened_process& process_;
  std::uintptr_t begin_;
  unsigned long long size_ = 0;
};

}  // namespace

// As that of a library in this process: windows_mapped.cpp.
static arena_string identity_in_memory(const opened_process& process, HMODULE module) {
  const headers_of_module headers(process, module);
  library_file contents;
  pe_image image(headers);
  image.read_headers(0, contents);
  return image.identity();
}

static arena_string path_of(const opened_process& process, HMODULE module) {
  std::wstring path(32768, L'\0');
  const DWORD length = ::K32GetModuleFileNameExW(process.get(), module, path.data(), 32768);
  return spawn::narrow_path({path.data(), length});
}

/// The first is the program.  False while the process starts or ends.
static bool list_modules(const opened_process& process, std::vector<HMODULE>& modules) {
  DWORD bytes = 0;
  modules.resize(1024);
  for (;;) {
    const DWORD room = static_cast<DWORD>(modules.size() * sizeof(HMODULE));
    if (::K32EnumProcessModulesEx(process.get(), modules.data(), room, &bytes, LIST_MODULES_ALL) ==
        0)
      return false;
    modules.resize(bytes / sizeof(HMODULE));
    if (bytes <= room) return !modules.empty();
  }
}

// A file that is in use can be renamed, and another one take its name.
static bool read_modules(const system_interface& os, const opened_process& process,
                         process_facts& facts) {
  std::vector<HMODULE> modules;
  if (!list_modules(process, modules)) return false;
  facts.program = path_of(process, modules.front());
  facts.program_file = facts.program;
  for (std::size_t i = 1; i < modules.size(); ++i) {
    mapped_object object;
    object.path = path_of(process, modules[i]);
    if (object.path.empty()) continue;
    object.soname = lower_case(base_name(object.path));
    object.build_id = identity_in_memory(process, modules[i]);
    facts.mapped.push_back(object);
    if (!is_cudnn_path(object.path)) continue;
    const library_file on_disk = read_library(os, object.path, 0);
    if (on_disk.build_id != object.build_id) facts.replaced.push_back({object.path, {}});
  }
  return !facts.program.empty();
}

/// UTF-16 from there on that ends with two zeros: entries that end with one.
static bool read_entries(const opened_process& process, std::uintptr_t begin,
                         arena_string& entries) {
  constexpr std::size_t page = 4096;
  constexpr std::size_t most = 1U << 20;
  std::wstring text;
  std::size_t end = std::wstring::npos;
  while (end == std::wstring::npos && text.size() < most) {
    const std::uintptr_t at = begin + text.size() * sizeof(wchar_t);
    wchar_t piece[page / sizeof(wchar_t)];
    const std::size_t count = page - at % page;
    if (!process.read(at, piece, count)) return false;
    text.append(piece, count / sizeof(wchar_t));
    end = text.find(std::wstring(2, L'\0'));
  }
  entries = spawn::narrow({text.data(), std::min(end, text.size() - 1) + 1});
  return true;
}

// Winternl.h has the first structures; the parameters are those of 64-bit Windows since Vista, and
// of wine.
static bool read_parameters(const opened_process& process, process_facts& facts) {
  constexpr std::uintptr_t directory_at = 0x38;
  constexpr std::uintptr_t environment_at = 0x80;
  PROCESS_BASIC_INFORMATION basic = {};
  if (::NtQueryInformationProcess(process.get(), ProcessBasicInformation, &basic, sizeof basic,
                                  nullptr) != 0) {
    return false;
  }
  const auto block = reinterpret_cast<std::uintptr_t>(basic.PebBaseAddress);
  std::uintptr_t parameters = 0;
  std::uintptr_t environment = 0;
  UNICODE_STRING directory = {};
  if (!process.read(block + offsetof(PEB, ProcessParameters), parameters) ||
      !process.read(parameters + directory_at, directory) ||
      !process.read(parameters + environment_at, environment)) {
    return false;
  }
  std::wstring text(directory.Length / sizeof(wchar_t), L'\0');
  if (!process.read(reinterpret_cast<std::uintptr_t>(directory.Buffer), text.data(),
                    directory.Length)) {
    return false;
  }
  facts.directory = spawn::narrow_path(text);
  while (facts.directory.size() > 1 && facts.directory.back() == '/') facts.directory.pop_back();
  return read_entries(process, environment, facts.environment);
}

static process_state state_of(const opened_process& process, DWORD pid) {
  if (process.get() == nullptr) {
    return ::GetLastError() == ERROR_ACCESS_DENIED ? process_state::denied : process_state::absent;
  }
  DWORD status = 0;
  // The last two bits of a process id do not count, so another process may have answered.
  const bool runs = ::GetProcessId(process.get()) == pid &&
                    ::GetExitCodeProcess(process.get(), &status) != 0 && status == STILL_ACTIVE;
  return runs ? process_state::runs : process_state::absent;
}

process_facts look_at_process(const system_interface& os, const arena_string& pid) {
  process_facts facts;
  facts.pid = pid;
  const DWORD number = std::strtoul(pid.c_str(), nullptr, 10);
  const opened_process process(number);
  facts.state = state_of(process, number);
  for (int attempt = 0; facts.state == process_state::runs && attempt < 10; ++attempt) {
    facts.mapped.clear();
    facts.replaced.clear();
    if (read_modules(os, process, facts)) {
      if (!read_parameters(process, facts)) facts.state = process_state::denied;
      return facts;
    }
    ::Sleep(2);
    facts.state = state_of(process, number);
  }
  if (facts.state == process_state::runs) facts.state = process_state::denied;
  return facts;
}

}  // namespace cudnn_checked::cli
