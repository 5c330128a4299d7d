// SPDX-License-Identifier: BSD-3-Clause
#include "../system/program_arguments.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

char** program_arguments(int, char** words) { return words; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
