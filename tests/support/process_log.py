# SPDX-License-Identifier: BSD-3-Clause
"""Which programs a command starts: a library that the loader preloads writes their names down."""

import subprocess

from support.environment import cache_directory, compiler, locked

SOURCE = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void note(const char *program) {
  const char *log = getenv("PROCESS_LOG");
  int file = log ? open(log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
  if (file < 0) return;
  char line[4096];
  size_t length = strlen(program);
  if (length > sizeof line - 1) length = sizeof line - 1;
  memcpy(line, program, length);
  line[length] = '\\n';
  if (write(file, line, length + 1) < 0) abort();
  close(file);
}

#define FORWARD(name, arguments, call)                                        \\
  int name arguments {                                                        \\
    int (*next) arguments = (int (*) arguments)dlsym(RTLD_NEXT, #name);       \\
    note(program);                                                            \\
    return next call;                                                         \\
  }

FORWARD(execve, (const char *program, char *const a[], char *const e[]), (program, a, e))
FORWARD(execv, (const char *program, char *const a[]), (program, a))
FORWARD(execvp, (const char *program, char *const a[]), (program, a))
FORWARD(execvpe, (const char *program, char *const a[], char *const e[]), (program, a, e))
FORWARD(posix_spawn, (pid_t *p, const char *program, const posix_spawn_file_actions_t *f,
        const posix_spawnattr_t *t, char *const a[], char *const e[]), (p, program, f, t, a, e))
FORWARD(posix_spawnp, (pid_t *p, const char *program, const posix_spawn_file_actions_t *f,
        const posix_spawnattr_t *t, char *const a[], char *const e[]), (p, program, f, t, a, e))
"""


def recorder():
    """The library to preload."""
    library = cache_directory() / "process_log.so"
    with locked(library):
        source = library.with_suffix(".c")
        if not library.exists() or not source.exists() or source.read_text() != SOURCE:
            source.write_text(SOURCE)
            subprocess.run([compiler("C"), "-shared", "-fPIC", "-o", library, source, "-ldl"],
                           check=True)
    return library


class ProcessLog:
    """Run a command with its environment, then look at programs."""

    def __init__(self, path):
        self._path = path
        path.write_text("")
        self.environment = {"LD_PRELOAD": recorder(), "PROCESS_LOG": path}

    @property
    def programs(self):
        """Base names of what was started, in order."""
        return [line.rsplit("/", 1)[-1] for line in self._path.read_text().splitlines()]
