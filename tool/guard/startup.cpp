// SPDX-License-Identifier: BSD-3-Clause
//
// The check before main(), in two steps, which the entries of each platform call
// (linux/entries.cpp, windows/entries.cpp).  Where the first runs ahead of every static
// initialiser, iostreams and exceptions do not work, and objects with dynamic initialisers would be
// overwritten later.
//
// A refusal is _Exit(): exit() would run destructors of what was never constructed.
#include <cerrno>
#include <cstdlib>

#include "../core/system/own_system.h"
#include "../core/system/write_all.h"
#include "check.h"
#include "own_file.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// errno is 0 where main() begins (C11, 7.5), whatever the check asked the system.
struct errno_keeper {
  const int before = errno;
  ~errno_keeper() { errno = before; }
};

/// The state that the first step hands to the second.  Constant-initialised, so it survives
/// start-up.
struct startup_state {
  arena memory;
  const system_interface* os = nullptr;
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
  std::_Exit(CUDNN_CHECKED_EXIT_STATUS);
}

/// In a block of startup.memory, with the system as this process sees it there.
static void begin_startup(const char* stamp_text, const system_interface& os) {
  startup.os = &os;
  const guard_environment asked = read_guard_environment(*startup.os, guard_of_build(stamp_text));
  if (asked.asked == guard_environment::mode::invalid) {
    write_to_stderr(invalid_mode_message(asked));
    std::_Exit(CUDNN_CHECKED_EXIT_STATUS);
  }
  startup.off = asked.asked == guard_environment::mode::off;
  if (startup.off && asked.report_path.empty()) return;
  startup.search = make_in_arena<loader>(*startup.os);
  startup.check =
      make_in_arena<guard_check>(*startup.search, stamp_text, own_file_of(*startup.os, stamp_text));
  if (startup.off) return startup.check->leave_unchecked();
  startup.check->leave_out_notes();
  startup.check->look_at_files();
  if (startup.check->ends_program()) startup.check->look_for_driver();
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
