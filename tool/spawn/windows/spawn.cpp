// SPDX-License-Identifier: BSD-3-Clause
#include "../spawn.h"

#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cwchar>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "process_start.h"
#include "wide.h"

namespace cudnn_checked::spawn {

int error_number(DWORD error) {
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME:
      return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
      return EACCES;
    case ERROR_BAD_EXE_FORMAT:
      return ENOEXEC;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_NOT_ENOUGH_MEMORY:
      return ENOMEM;
    default:
      return EINVAL;
  }
}

// "Interprocess communication between 32-bit and 64-bit applications": a handle has 32 bits.
static process_id number_of(HANDLE process) {
  return static_cast<process_id>(reinterpret_cast<std::intptr_t>(process));
}

static HANDLE handle_of(process_id process) {
  return reinterpret_cast<HANDLE>(static_cast<std::intptr_t>(process));
}

namespace {

/// The job of each process: what it has started is in it, and ends where this program does.
class process_jobs {
 public:
  void add(process_id process, HANDLE job) {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_[process] = job;
  }

  /// Closes what was kept of a process that has ended, which ends what it has started.
  void end(process_id process) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto job = jobs_.find(process);
    if (job == jobs_.end()) return;
    ::CloseHandle(job->second);
    ::CloseHandle(handle_of(process));
    jobs_.erase(job);
  }

  HANDLE of(process_id process) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto job = jobs_.find(process);
    return job == jobs_.end() ? nullptr : job->second;
  }

 private:
  std::mutex mutex_;
  std::map<process_id, HANDLE> jobs_;
};

process_jobs& jobs() {
  static process_jobs all;
  return all;
}

/// The child inherits these handles and no other.
class handle_list {
 public:
  explicit handle_list(std::vector<HANDLE>& handles) {
    SIZE_T size = 0;
    ::InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    memory_.resize(size);
    list_ = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory_.data());
    const bool is_made =
        ::InitializeProcThreadAttributeList(list_, 1, 0, &size) != 0 &&
        ::UpdateProcThreadAttribute(list_, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles.data(),
                                    handles.size() * sizeof(HANDLE), nullptr, nullptr) != 0;
    if (!is_made) list_ = nullptr;
  }
  ~handle_list() {
    if (list_ != nullptr) ::DeleteProcThreadAttributeList(list_);
  }
  handle_list(const handle_list&) = delete;
  handle_list& operator=(const handle_list&) = delete;

  LPPROC_THREAD_ATTRIBUTE_LIST get() const { return list_; }

 private:
  std::vector<BYTE> memory_;
  LPPROC_THREAD_ATTRIBUTE_LIST list_ = nullptr;
};

}  // namespace

static bool add_files(const child& what, inherited_files& files) {
  bool added = files.add(-1) && files.add(what.output) && files.add(what.errors);
  for (const int file : what.more) added = added && files.add(file);
  return added;
}

// What it gets is said at child.  CreateProcessW wants "a null-terminated block of null-terminated
// strings".
static std::wstring environment_of_child() {
  std::wstring block(L"PYTHONSAFEPATH=1");
  block.push_back(L'\0');
  wchar_t* const own = ::GetEnvironmentStringsW();
  if (own != nullptr) {
    for (const wchar_t* one = own; *one != L'\0'; one += std::wcslen(one) + 1) {
      block.append(one, std::wcslen(one) + 1);
    }
    ::FreeEnvironmentStringsW(own);
  }
  block.push_back(L'\0');
  return block;
}

int start(const child& what, process_id& process) {
  process = -1;
  inherited_files files;
  if (!add_files(what, files)) return EMFILE;
  const handle_list inherited(files.handles());
  std::vector<BYTE> block = files.runtime_block();
  STARTUPINFOEXW startup = {};
  startup.StartupInfo.cb = sizeof startup;
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = files.handle(0);
  startup.StartupInfo.hStdOutput = files.handle(1);
  startup.StartupInfo.hStdError = files.handle(2);
  startup.StartupInfo.cbReserved2 = static_cast<WORD>(block.size());
  startup.StartupInfo.lpReserved2 = block.data();
  startup.lpAttributeList = inherited.get();
  const std::wstring program = wide_path(what.command.front());
  std::wstring line = command_line_of(what.command);
  PROCESS_INFORMATION started = {};
  std::wstring environment = environment_of_child();
  constexpr DWORD flags = CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP |
                          EXTENDED_STARTUPINFO_PRESENT | CREATE_UNICODE_ENVIRONMENT;
  if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, flags,
                       environment.data(), nullptr, &startup.StartupInfo, &started) == 0) {
    return error_number(::GetLastError());
  }
  const HANDLE job = new_job();
  ::AssignProcessToJobObject(job, started.hProcess);
  process = number_of(started.hProcess);
  jobs().add(process, job);
  ::ResumeThread(started.hThread);
  ::CloseHandle(started.hThread);
  return 0;
}

bool make_pipe(int (&ends)[2]) {
  constexpr unsigned bytes = 65536;
  ends[0] = ends[1] = -1;
  return ::_pipe(ends, bytes, _O_BINARY | _O_NOINHERIT) == 0;
}

void close_file(int& file) {
  if (file >= 0) ::_close(file);
  file = -1;
}

bool read_part(int file, std::string& text) {
  char part[16384];
  const int got = ::_read(file, part, sizeof part);
  if (got > 0) text.append(part, static_cast<std::size_t>(got));
  return got > 0;
}

// A pipe without a name cannot be waited for: PeekNamedPipe.
bool can_be_read(int file, int milliseconds) {
  using clock = std::chrono::steady_clock;
  const clock::time_point end = clock::now() + std::chrono::milliseconds(milliseconds);
  const HANDLE pipe = reinterpret_cast<HANDLE>(::_get_osfhandle(file));
  for (;;) {
    DWORD available = 0;
    const bool has_writer = ::PeekNamedPipe(pipe, nullptr, 0, nullptr, &available, nullptr) != 0;
    if (!has_writer || available > 0) return true;
    if (clock::now() >= end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// ntdef.h: the two highest bits of NTSTATUS are set in an error, which an exception leaves behind
// as exit code.
static process_end end_of(DWORD code) { return {code >> 30 == 3, static_cast<int>(code)}; }

bool has_ended(process_id process, process_end& end) {
  if (::WaitForSingleObject(handle_of(process), 0) == WAIT_TIMEOUT) return false;
  DWORD code = 0;
  ::GetExitCodeProcess(handle_of(process), &code);
  end = end_of(code);
  jobs().end(process);
  return true;
}

process_end end_all(process_id process) {
  constexpr UINT killed = 1;
  ::TerminateJobObject(jobs().of(process), killed);
  ::WaitForSingleObject(handle_of(process), INFINITE);
  process_end end;
  (void)has_ended(process, end);
  return end;
}

}  // namespace cudnn_checked::spawn
