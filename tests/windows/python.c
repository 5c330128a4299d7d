/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands for a python.exe: prints the words that it is started with, a line each.  Of what is asked
 * with "-c" it knows one answer, the site-packages of its environment.  As Python 3.13, which imports
 * linecache first, it would take a module of the working directory then: it ends, unless that is forbidden.
 */
#include <stdio.h>
#include <wchar.h>
#include <windows.h>

static void print_line(const wchar_t* text) {
  static char bytes[3 * 32768];
  WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, sizeof bytes, NULL, NULL);
  printf("%s\n", bytes);
}

int wmain(int count, wchar_t** words) {
#ifdef SILENT  /* one that does not answer */
  return count < 0;
#endif
  static wchar_t path[32768];
  if (count > 1 && wcscmp(words[1], L"-c") == 0) {
    if (GetEnvironmentVariableW(L"PYTHONSAFEPATH", path, 32000) == 0) return 3;
    GetModuleFileNameW(NULL, path, 32000);
    *wcsrchr(path, L'\\') = L'\0';
    wchar_t* const folder = wcsrchr(path, L'\\');
    if (_wcsicmp(folder, L"\\Scripts") == 0) *folder = L'\0';
    wcscat(path, L"\\Lib\\site-packages");
    print_line(path);
    return 0;
  }
  for (int i = 1; i < count; ++i) print_line(words[i]);
  return 0;
}
