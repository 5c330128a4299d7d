// SPDX-License-Identifier: BSD-3-Clause
#include "../run_program.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace cudnn_checked::prove {

// The same for glibc and musl.
static constexpr int status_of_loader = 127;

bool is_status_of_loader(const spawn::program_end& end) {
  return end.kind == spawn::program_end::how::exited && end.number == status_of_loader;
}

const char* name_of_probe() { return "cudnn_checked_probe"; }

// Taken before main(): it may have ended by the time that this process asks to end with it.
static pid_t starter = 0;
__attribute__((constructor)) static void remember_starter() { starter = ::getppid(); }

void end_with_starter() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != starter) ::_exit(1);
}

}  // namespace cudnn_checked::prove
