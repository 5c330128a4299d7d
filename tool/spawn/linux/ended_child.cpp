// SPDX-License-Identifier: BSD-3-Clause
//
// What the command line alone asks about a child: whether it has ended, and how.  The configure
// program waits with supervised.cpp.
#include <signal.h>
#include <sys/wait.h>

#include <cstring>

#include "../spawn.h"

namespace cudnn_checked::spawn {

static process_end end_of(int status) {
  if (WIFSIGNALED(status)) return {true, WTERMSIG(status)};
  return {false, WEXITSTATUS(status)};
}

bool has_ended(process_id process, process_end& end) {
  int status = 0;
  if (::waitpid(process, &status, WNOHANG) == 0) return false;
  end = end_of(status);
  return true;
}

process_end end_all(process_id process) {
  int status = 0;
  ::kill(-process, SIGKILL);
  ::waitpid(process, &status, 0);
  return end_of(status);
}

std::string signal_text(int number) { return ::strsignal(number); }

}  // namespace cudnn_checked::spawn
