// SPDX-License-Identifier: BSD-3-Clause
//
// The calls before main().  The first comes from .preinit_array, ahead of every static initialiser:
// `environ` is not set there.  The second is the first constructor.
#include <unistd.h>

#include "../../core/linux/linux_system.h"
#include "stamp_object.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static void begin_startup(const char* stamp_text, char** environment, const char* initial) {
  const arena_block block(startup.memory);
  begin_startup(stamp_text, *make_in_arena<linux_system>(environment, own_execution(), initial));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked

CUDNN_CHECKED_ENTRY void cudnn_checked_0_1_before_initialisers(const char* stamp_text,
                                                               char** environment) {
  const cudnn_checked::errno_keeper keeper;
  cudnn_checked::begin_startup(stamp_text, environment, nullptr);
}

CUDNN_CHECKED_ENTRY void cudnn_checked_0_1_before_main(const char* stamp_text) {
  const cudnn_checked::errno_keeper keeper;
  // Where .preinit_array is not run (musl), this is the first step too.
  if (cudnn_checked::startup.os == nullptr) {
    cudnn_checked::begin_startup(stamp_text, environ, cudnn_checked::linux_system::initial_file);
  }
  cudnn_checked::finish_startup();
}
