// SPDX-License-Identifier: BSD-3-Clause
//
// What a program that refuses advises: it tries what a variable can do, and leaves the rest to the
// command line, which knows what packages bring (tool/repair).
#pragma once

#include "cudnn_check.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Leaves of the fixes of what is wrong the variables that were shown to help in a new process of
/// the same program, the packages of the environment that its run path leads to, and words.
void keep_tried_fixes(cudnn_check& c);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
