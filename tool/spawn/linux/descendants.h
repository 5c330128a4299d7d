// SPDX-License-Identifier: BSD-3-Clause
//
// Ends a program with everything that it has started, whatever left its process group included.
#pragma once

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace cudnn_checked::spawn {

/// Orphans of the programs that this process starts become its children (prctl(2)).  To be called
/// before anything is started: earlier orphans already have another parent.
inline void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

/// If a signal ends this process, or one that it starts from now on, no core file is left.
inline void leave_no_core() {
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
}

/// Ends all children of this process and the group of `program`, and waits for them.  What a killed
/// process leaves behind is among the children next (proc(5), /proc/pid/task/tid/children).
inline void end_descendants(pid_t program) {
  ::kill(-program, SIGKILL);
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(::getpid()));
  for (int round = 0; round < 2000; ++round) {
    if (FILE* const children = std::fopen(path, "re")) {
      int child = 0;
      while (std::fscanf(children, "%d", &child) == 1) ::kill(child, SIGKILL);
      std::fclose(children);
    }
    pid_t ended = 0;
    do {
      ended = ::waitpid(-1, nullptr, WNOHANG);
    } while (ended > 0);
    if (ended < 0 && errno == ECHILD) return;
    ::usleep(1000);
  }
}

}  // namespace cudnn_checked::spawn
