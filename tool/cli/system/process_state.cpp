// SPDX-License-Identifier: BSD-3-Clause
#include "process_facts.h"

namespace cudnn_checked::cli {

const char* describe(process_state state) {
  switch (state) {
    case process_state::absent:
      return "no such process";
    case process_state::ended:
      return "it has ended, and its parent has not asked for its status (a zombie)";
    case process_state::kernel_thread:
      return "a thread of the kernel, which has no libraries";
    case process_state::denied:
      return "no permission to look at it";
    case process_state::changing:
      return "it starts another program at this moment";
    case process_state::runs:
      break;
  }
  return "";
}

}  // namespace cudnn_checked::cli
