/* SPDX-License-Identifier: BSD-3-Clause
 *
 * NAME.exe, a program for wine, starts Debian's x86_64-w64-mingw32-NAME: a compiler for the CMake for Windows.  Paths
 * of drive Z, which is the root, become those of Linux; errors go to standard output, since wine gives a program of
 * Linux no other.
 */
#include <windows.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef LONG(WINAPI* spawn_function)(char* const words[], int wait);

static void make_linux_path(char* word) {
  char* end = word;
  int in_path = 0;
  for (const char* from = word; *from != '\0'; ++from) {
    if ((*from == 'Z' || *from == 'z') && from[1] == ':' && (from[2] == '\\' || from[2] == '/')) {
      in_path = 1;
      ++from;
    } else {
      *end++ = in_path && *from == '\\' ? '/' : *from;
    }
  }
  *end = '\0';
}

int main(int count, char* given[]) {
  char path[MAX_PATH], tool[MAX_PATH + 64];
  GetModuleFileNameA(NULL, path, sizeof path);
  *strrchr(path, '.') = '\0';
  sprintf(tool, "/usr/bin/x86_64-w64-mingw32-%s", strrchr(path, '\\') + 1);
  char* before[] = {"/bin/sh", "-c", "exec \"$@\" 2>&1", "sh", tool};
  char** words = calloc((size_t)count + 5, sizeof *words);
  memcpy(words, before, sizeof before);
  for (int i = 1; i < count; ++i) {
    make_linux_path(given[i]);
    words[i + 4] = given[i];
  }
  /* ntdll of wine: what start /unix /wait calls. */
  const FARPROC found = GetProcAddress(GetModuleHandleA("ntdll.dll"), "__wine_unix_spawnvp");
  return found == NULL ? 1 : (int)((spawn_function)(void*)found)(words, 1);
}
