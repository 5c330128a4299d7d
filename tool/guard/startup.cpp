// SPDX-License-Identifier: BSD-3-Clause
//
// The check before main(), in two steps.  The first runs from .preinit_array, ahead of every static
// initialiser: `environ` is not set there, iostreams and exceptions do not work, and objects with
// dynamic initialisers would be overwritten later.  The second runs as the first constructor.
//
// A refusal is _exit(): exit() would run destructors of what was never constructed.
#include <cerrno>

#include <unistd.h>

#include "../core/linux/linux_system.h"
#include "check.h"
#include "own_file.h"
#include "refusal.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// errno is 0 where main() begins (C11, 7.5), whatever the check asked the system.
struct errno_keeper {
  const int before = errno;
  ~errno_keeper() { errno = before; }
};

/// What the first step hands to the second.  Constant-initialised, so it survives start-up.
struct startup_state {
  arena memory;
  const linux_system* os = nullptr;
  loader* search = nullptr;
  guard_check* check = nullptr;
  bool off = false;
};
static startup_state startup;

static void refuse_if_asked_to(guard_check& check) {
  if (!check.ends_program()) return;
  check.try_fixes();
  check.write_report();
  check.say();
  _exit(CUDNN_CHECKED_EXIT_STATUS);
}

static void begin_startup(const char* stamp_text, char** environment, const char* initial) {
  const arena_block block(startup.memory);
  startup.os = make_in_arena<linux_system>(environment, own_execution(), initial);
  const guard_environment asked = read_guard_environment(*startup.os, guard_of_build(stamp_text));
  if (asked.asked == guard_environment::mode::invalid) {
    write_to_stderr(invalid_mode_message(asked));
    _exit(CUDNN_CHECKED_EXIT_STATUS);
  }
  startup.off = asked.asked == guard_environment::mode::off;
  if (startup.off && asked.report_path.empty()) return;
  startup.search = make_in_arena<loader>(*startup.os);
  startup.check =
      make_in_arena<guard_check>(*startup.search, stamp_text, own_file_of(*startup.os, stamp_text));
  if (startup.off) return startup.check->leave_unchecked();
  startup.check->leave_out_notes();
  startup.check->look_at_files();
  refuse_if_asked_to(*startup.check);
}

static void finish_startup() {
  if (startup.check != nullptr) {
    const arena_block block(startup.memory);
    if (!startup.off) startup.check->look_at_machine();
    refuse_if_asked_to(*startup.check);
    if (!startup.off) startup.check->try_fixes();
    startup.check->write_report();
    if (!startup.off) startup.check->say();
  }
  startup.memory.release();
  startup.check = nullptr;
  startup.search = nullptr;
  startup.os = nullptr;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

CUDNN_CHECKED_ENTRY void cudnn_checked_0_1_before_initialisers(const char* stamp_text,
                                                               char** environment);
CUDNN_CHECKED_ENTRY void cudnn_checked_0_1_before_main(const char* stamp_text);

void cudnn_checked_0_1_before_initialisers(const char* stamp_text, char** environment) {
  const cudnn_checked::errno_keeper keeper;
  cudnn_checked::begin_startup(stamp_text, environment, nullptr);
}

void cudnn_checked_0_1_before_main(const char* stamp_text) {
  const cudnn_checked::errno_keeper keeper;
  // Where .preinit_array is not run (musl), this is the first step too.
  if (cudnn_checked::startup.os == nullptr) {
    cudnn_checked::begin_startup(stamp_text, environ, cudnn_checked::linux_system::initial_file);
  }
  cudnn_checked::finish_startup();
}
