/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that `cudnn-checked run` starts, and the one that starts `cudnn-checked`:
 *
 *   words WORD...      prints its words in UTF-8, each in brackets
 *   exit NUMBER        ends with that status
 *   crash              writes to address 0
 *   wait               prints "waits", and ends with 7 at the end of standard input
 *   leave              starts "wait", and waits for it
 *   interrupt          sends Ctrl-C to its console; ends with 42 when it gets it itself
 *   status COMMAND     starts a command line, and prints its exit status
 *   console COMMAND    the same in a console of its own
 *   kill COMMAND       when it has printed "waits": ends its process alone, and prints whether its
 *                      output was closed
 */
#define _WIN32_WINNT 0x0A00
#include <windows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define LONGEST 32768

static int print_words(int count, wchar_t** words) {
  static char text[3 * LONGEST];
  for (int i = 1; i < count; ++i) {
    WideCharToMultiByte(CP_UTF8, 0, words[i], -1, text, sizeof text, NULL, NULL);
    printf("[%s]", text);
  }
  printf("\n");
  return 0;
}

static int wait_for_end_of_input(void) {
  printf("waits\n");
  fflush(stdout);
  while (getchar() != EOF) continue;
  return 7;
}

static PROCESS_INFORMATION start(const wchar_t* command, STARTUPINFOW* startup, DWORD flags) {
  static wchar_t line[LONGEST];
  PROCESS_INFORMATION started = {0};
  wcsncpy(line, command, LONGEST - 1);
  startup->cb = flags != 0 ? sizeof(STARTUPINFOEXW) : sizeof(STARTUPINFOW);
  if (!CreateProcessW(NULL, line, NULL, NULL, TRUE, flags, NULL, NULL, startup, &started)) {
    printf("not started: %lu\n", GetLastError());
    exit(1);
  }
  return started;
}

static int print_status(PROCESS_INFORMATION started) {
  DWORD status = 0;
  WaitForSingleObject(started.hProcess, INFINITE);
  GetExitCodeProcess(started.hProcess, &status);
  printf("status %lu\n", status);
  return 0;
}

/* By its name, because mingw-w64 10 does not declare it. */
static PROCESS_INFORMATION start_in_console(const wchar_t* command) {
  typedef HRESULT(WINAPI * create_console)(COORD, HANDLE, HANDLE, DWORD, void**);
  const FARPROC found = GetProcAddress(GetModuleHandleW(L"kernel32"), "CreatePseudoConsole");
  const COORD size = {80, 25};
  create_console create = NULL;
  memcpy(&create, &found, sizeof create);
  HANDLE ends[4];
  void* console = NULL;
  CreatePipe(&ends[0], &ends[1], NULL, 0);
  CreatePipe(&ends[2], &ends[3], NULL, 0);
  if (create == NULL || create(size, ends[0], ends[3], 0, &console) != S_OK) {
    printf("no console\n");
    exit(1);
  }
  STARTUPINFOEXW startup = {0};
  SIZE_T bytes = 0;
  InitializeProcThreadAttributeList(NULL, 1, 0, &bytes);
  startup.lpAttributeList = malloc(bytes);
  InitializeProcThreadAttributeList(startup.lpAttributeList, 1, 0, &bytes);
  /* PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE */
  UpdateProcThreadAttribute(startup.lpAttributeList, 0, 0x00020016, console, sizeof console, NULL, NULL);
  return start(command, &startup.StartupInfo, EXTENDED_STARTUPINFO_PRESENT);
}

static BOOL WINAPI end_by_event(DWORD event) {
  (void)event;
  ExitProcess(42);
}

static int interrupt(void) {
  SetConsoleCtrlHandler(end_by_event, TRUE);
  GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0);
  Sleep(10000);
  return 1;
}

static int is_closed(HANDLE output) {
  for (int i = 0; i < 100; ++i) {
    DWORD available = 0;
    if (!PeekNamedPipe(output, NULL, 0, NULL, &available, NULL)) return 1;
    Sleep(10);
  }
  return 0;
}

static int kill_alone(const wchar_t* command) {
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
  HANDLE input[2], output[2];
  CreatePipe(&input[0], &input[1], &inherited, 0);
  CreatePipe(&output[0], &output[1], &inherited, 0);
  SetHandleInformation(input[1], HANDLE_FLAG_INHERIT, 0);
  SetHandleInformation(output[0], HANDLE_FLAG_INHERIT, 0);
  STARTUPINFOW startup = {0};
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdInput = input[0];
  startup.hStdOutput = startup.hStdError = output[1];
  const PROCESS_INFORMATION started = start(command, &startup, 0);
  CloseHandle(input[0]);
  CloseHandle(output[1]);
  static char text[LONGEST];
  DWORD size = 0, got = 0;
  while (strstr(text, "waits") == NULL && ReadFile(output[0], text + size, LONGEST - 1 - size, &got, NULL)) size += got;
  TerminateProcess(started.hProcess, 1);
  printf("%s\n", is_closed(output[0]) ? "ended" : "runs");
  return 0;
}

int wmain(int count, wchar_t** words) {
  static wchar_t wait[LONGEST];
  STARTUPINFOW startup = {0};
  const wchar_t* const step = count > 1 ? words[1] : L"words";
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
  if (wcscmp(step, L"exit") == 0) ExitProcess((UINT)wcstoul(words[2], NULL, 0));
  if (wcscmp(step, L"crash") == 0) *(volatile int*)NULL = 1;
  if (wcscmp(step, L"wait") == 0) return wait_for_end_of_input();
  if (wcscmp(step, L"interrupt") == 0) return interrupt();
  if (wcscmp(step, L"status") == 0) return print_status(start(words[2], &startup, 0));
  if (wcscmp(step, L"console") == 0) return print_status(start_in_console(words[2]));
  if (wcscmp(step, L"kill") == 0) return kill_alone(words[2]);
  if (wcscmp(step, L"leave") == 0) {
    swprintf(wait, LONGEST, L"\"%ls\" wait", words[0]);
    return print_status(start(wait, &startup, 0));
  }
  return print_words(count, words);
}
