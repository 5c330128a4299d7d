/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An LD_AUDIT library (rtld-audit(7)): the loader itself says for which files of cuDNN it looks,
 * which it maps, and which of those it gives up again.  One line for each in the file that
 * CUDNN_ORACLE_LOG names, written at once, because the process may die by the next line:
 *
 *   search <why> <name or path>    why: orig, path, run, cache, default, secure (la_objsearch)
 *   open 0 <path>
 *   close 0 <path>
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void say(const char* what, const char* why, const char* path) {
  char line[4352];
  const char* log = getenv("CUDNN_ORACLE_LOG");
  const char* name = strrchr(path, '/');
  name = name == NULL ? path : name + 1;
  if (log == NULL || strncmp(name, "libcudnn", 8) != 0) return;
  const int length = snprintf(line, sizeof line, "%s %s %s\n", what, why, path);
  const int file = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (length > 0 && write(file, line, (size_t)length) != length) _exit(99);
  close(file);
}

unsigned int la_version(unsigned int version) { return version; }

char* la_objsearch(const char* name, uintptr_t* cookie, unsigned int flag) {
  (void)cookie;
  const char* why = flag == LA_SER_ORIG      ? "orig"
                    : flag == LA_SER_LIBPATH ? "path"
                    : flag == LA_SER_RUNPATH ? "run"
                    : flag == LA_SER_CONFIG  ? "cache"
                    : flag == LA_SER_DEFAULT ? "default"
                                             : "secure";
  say("search", why, name);
  return (char*)name;
}

unsigned int la_objopen(struct link_map* map, Lmid_t namespace_id, uintptr_t* cookie) {
  (void)namespace_id;
  *cookie = (uintptr_t)map;
  say("open", "0", map->l_name);
  return 0;
}

unsigned int la_objclose(uintptr_t* cookie) {
  say("close", "0", ((struct link_map*)*cookie)->l_name);
  return 0;
}
