// SPDX-License-Identifier: BSD-3-Clause
#include "run_here.h"

#include <cerrno>

#include "process_start.h"
#include "wide.h"

namespace cudnn_checked::spawn {

// Every process of the console gets it.  A handler is not inherited, as that Ctrl-C is ignored
// would be.  Where the console is closed, the program has the time that a handler gets.
static BOOL WINAPI leave_to_program(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) ::Sleep(INFINITE);
  return TRUE;
}

int run_here(const std::string& file, const std::vector<std::string>& command, DWORD& status) {
  const std::wstring program = wide_path(file);
  DWORD kind = 0;
  // CreateProcess gives a batch file to cmd, which reads the words in its own way.
  if (::GetBinaryTypeW(program.c_str(), &kind) == 0) {
    const int wrong = error_number(::GetLastError());
    return wrong == EINVAL ? ENOEXEC : wrong;
  }
  // Its standard streams, and the numbers of files in the C runtime.
  STARTUPINFOW startup = {};
  ::GetStartupInfoW(&startup);
  std::wstring line = command_line_of(command);
  PROCESS_INFORMATION started = {};
  ::SetConsoleCtrlHandler(leave_to_program, TRUE);
  if (::CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED,
                       nullptr, nullptr, &startup, &started) == 0) {
    return error_number(::GetLastError());
  }
  // Only the program itself is in the job: what it has started goes on, as where one process is
  // killed.
  const HANDLE job = new_job(JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK);
  ::AssignProcessToJobObject(job, started.hProcess);
  ::ResumeThread(started.hThread);
  ::WaitForSingleObject(started.hProcess, INFINITE);
  ::GetExitCodeProcess(started.hProcess, &status);
  return 0;
}

}  // namespace cudnn_checked::spawn
