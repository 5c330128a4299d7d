// SPDX-License-Identifier: BSD-3-Clause
//
// The fixes of a program that refuses: it tries what a variable can do, and leaves the rest to the
// command line, which knows what packages bring (tool/repair).
#pragma once

#include "cudnn_check.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Keeps only those fixes of errors and warnings that are: variables that were shown to help in a
/// new process of the same program, commands for the environment that its run path leads to, and
/// words.
void keep_tried_fixes(cudnn_check& c);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
