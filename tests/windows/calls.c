/* SPDX-License-Identifier: BSD-3-Clause
 *
 * usage: calls STEP...
 *
 * What Windows takes for the DLLs of cuDNN 9.  Steps, in the order of the arguments: load:NAME calls
 * LoadLibrary, or SetDllDirectory of a directory; version, graph, ops, cnn and adv call a function of cudnn64_9.dll, which opens the
 * others.  One line each to standard output, in UTF-8:
 * wait waits for the end of standard input, and pid tells the number of the process.
 *
 *   path VALUE          the variable PATH, at the start
 *   loaded NAME         by LoadLibrary
 *   failed NAME ERROR   GetLastError
 *   answer STEP NUMBER
 *   pid NUMBER
 *   module PATH         each cudnn*.dll in the process that was not there before the step
 *
 * With LINKED it imports cudnn64_9.dll, so that Windows loads that before the program runs, or, by a
 * library for delayed imports, at the step `imported`, which calls a function of it.
 */
#include <windows.h>

#include <psapi.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define MOST_MODULES 1024
#define LONGEST 32768

static HMODULE known[MOST_MODULES];
static int known_count;

static void print_line(const char* what, const wchar_t* text) {
  static char bytes[3 * LONGEST];
  WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, sizeof bytes, NULL, NULL);
  printf("%s %s\n", what, bytes);
}

static int is_known(HMODULE module) {
  for (int i = 0; i < known_count; ++i) {
    if (known[i] == module) return 1;
  }
  return 0;
}

static void print_new_modules(void) {
  static HMODULE modules[MOST_MODULES];
  static wchar_t path[LONGEST];
  DWORD bytes = 0;
  if (!K32EnumProcessModules(GetCurrentProcess(), modules, sizeof modules, &bytes)) return;
  for (DWORD i = 0; i < bytes / sizeof(HMODULE) && known_count < MOST_MODULES; ++i) {
    if (is_known(modules[i])) continue;
    known[known_count++] = modules[i];
    const DWORD length = GetModuleFileNameW(modules[i], path, LONGEST);
    const wchar_t* const slash = length != 0 ? wcsrchr(path, L'\\') : NULL;
    if (slash != NULL && _wcsnicmp(slash + 1, L"cudnn", 5) == 0) print_line("module", path);
  }
}

static void load(const wchar_t* name) {
  const DWORD kind = GetFileAttributesW(name);
  if (kind != INVALID_FILE_ATTRIBUTES && (kind & FILE_ATTRIBUTE_DIRECTORY) != 0 && wcschr(name, L'\\')) {
    SetDllDirectoryW(name);
    return;
  }
  const HMODULE module = LoadLibraryW(name);
  const DWORD error = GetLastError();
  static wchar_t line[LONGEST];
  if (module != NULL) {
    print_line("loaded", name);
  } else {
    swprintf(line, LONGEST, L"%ls %lu", name, error);
    print_line("failed", line);
  }
}

static void call(const wchar_t* step) {
  static const struct {
    wchar_t step[8];
    char function[24];
  } functions[] = {{L"version", "cudnnGetVersion"},
                   {L"graph", "cudnnGraphVersionCheck"},
                   {L"ops", "cudnnOpsVersionCheck"},
                   {L"cnn", "cudnnCnnVersionCheck"},
                   {L"adv", "cudnnAdvVersionCheck"}};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (wcscmp(step, functions[i].step) != 0) continue;
    const HMODULE shim = GetModuleHandleW(L"cudnn64_9.dll");
    const FARPROC function = shim != NULL ? GetProcAddress(shim, functions[i].function) : NULL;
    long long answer = -1;
    size_t (*ask)(void) = NULL;
    memcpy(&ask, &function, sizeof ask);
    if (ask != NULL) answer = i == 0 ? (long long)ask() : (int)ask();
    printf("answer %ls %lld\n", step, answer);
  }
}

#ifdef LINKED
__declspec(dllimport) size_t cudnnGetVersion(void);
static size_t (*volatile imported)(void) = cudnnGetVersion;
/* Behind the descriptors of dlltool's delayed imports, in .text$2: the end of their table. */
__attribute__((section(".text$3"), aligned(16), used)) static const char end_of_delayed[32] = {0};
#endif

int wmain(int count, wchar_t** steps) {
  static wchar_t path[LONGEST];
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
#ifdef LINKED
  if (imported == NULL) return 1;
#endif
  if (GetEnvironmentVariableW(L"PATH", path, LONGEST) < LONGEST) print_line("path", path);
  print_new_modules();
  for (int i = 1; i < count; ++i) {
    if (wcsncmp(steps[i], L"load:", 5) == 0) {
      load(steps[i] + 5);
    } else if (wcscmp(steps[i], L"wait") == 0) {
      while (getchar() != EOF) continue;
    } else if (wcscmp(steps[i], L"pid") == 0) {
      printf("pid %lu\n", GetCurrentProcessId());
#ifdef LINKED
    } else if (wcscmp(steps[i], L"imported") == 0) {
      printf("answer imported %llu\n", (unsigned long long)imported());
#endif
    } else {
      call(steps[i]);
    }
    print_new_modules();
    fflush(stdout);
  }
  fflush(stdout);
  TerminateProcess(GetCurrentProcess(), 0); /* nothing is unloaded */
  return 0;
}
