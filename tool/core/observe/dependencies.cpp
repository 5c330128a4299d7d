// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of cuDNN need of others, and which files the loader would take for it.
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

void observe_dependencies(const system_interface&, observation&) {}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
