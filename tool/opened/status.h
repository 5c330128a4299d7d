// SPDX-License-Identifier: BSD-3-Clause
//
// What a status of cuDNN means for an engine.  The programs of `cudnn-checked sweep --reproduce`
// contain this file.
#pragma once

#include <cudnn.h>

namespace cudnn_checked::opened {

/// An engine says that it does not compute this problem: all NOT_SUPPORTED of cuDNN 9; of cuDNN 8,
/// whose statuses are no statuses of 9, NOT_SUPPORTED, ARCH_MISMATCH and
/// RUNTIME_PREREQUISITE_MISSING.
inline bool is_unsupported(cudnnStatus_t status) {
  const int number = status;
  return number / 1000 == 3 || number == 9 || number == 6 || number == 11;
}

/// For an engine of another release or operation, cuDNN reports a wrong parameter.
inline bool means_no_engine(cudnnStatus_t status) {
  const int number = status;
  return is_unsupported(status) || number == 3 || number / 1000 == 2;
}

}  // namespace cudnn_checked::opened
