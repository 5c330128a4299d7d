// SPDX-License-Identifier: BSD-3-Clause
//
// The call before main(), and what has the compiler emit inline functions that nothing here calls.
#include "stamp_object.h"

CUDNN_CHECKED_ENTRY void cudnn_checked_0_1_before_main(const char* stamp_text) {
  const cudnn_checked::errno_keeper keeper;
  {
    const cudnn_checked::arena_block block(cudnn_checked::startup.memory);
    cudnn_checked::begin_startup(stamp_text, cudnn_checked::own_system());
  }
  cudnn_checked::finish_startup();
}

using cudnn_checked_function = void (*)();
extern "C" {
__declspec(selectany) cudnn_checked_function cudnn_checked_0_1_functions[] = {
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_0_1_before_main),
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_check_stamp),
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_require_stamp),
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_verdict_of),
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_finding_count),
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_finding_at),
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_text),
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_json),
    reinterpret_cast<cudnn_checked_function>(cudnn_checked_free),
};
}
