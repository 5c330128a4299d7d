// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "../model/line.h"
#include "../work/line_pipe.h"
#include "worker_process.h"

namespace cudnn_checked::sweep {

static void leave_nothing_behind() {
  // core(5): 1 is no core file, and no program that is given one.
  rlimit core{};
  ::getrlimit(RLIMIT_CORE, &core);
  core.rlim_cur = std::min<rlim_t>(core.rlim_max, 1);
  core.rlim_max = core.rlim_cur;
  ::setrlimit(RLIMIT_CORE, &core);
}

static int work(int commands, int answers, filter_maker make_filter) {
  line_source from(commands);
  std::string line;
  message first;
  if (!from.next(line) || !read_line(line, first) || first.what != message::kind::request) return 2;
  return run_worker(first.asked, commands, answers, make_filter);
}

bool worker_main(int count, char** arguments, filter_maker make_filter) {
  if (count != 3 || std::strcmp(arguments[1], worker_argument) != 0) return false;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // If the parent had died before that call, the signal does not come any more.
  if (::getppid() != static_cast<pid_t>(std::strtol(arguments[2], nullptr, 10))) ::_exit(2);
  leave_nothing_behind();
  ::signal(SIGPIPE, SIG_IGN);
  // Otherwise it would be an exception, and a plan would be blamed for the end of the process.
  std::set_new_handler([] { ::_exit(no_memory_status); });
  std::setvbuf(stdout, nullptr, _IOLBF, 0);  // its last words come, however it ends
  ::fcntl(commands_number, F_SETFD, FD_CLOEXEC);
  ::fcntl(answers_number, F_SETFD, FD_CLOEXEC);
  // Neither exit handlers nor destructors: those of a driver can wait for a GPU that is lost.
  ::_exit(work(commands_number, answers_number, make_filter));
}

}  // namespace cudnn_checked::sweep
