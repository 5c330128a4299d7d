// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "tensor.h"

namespace cudnn_checked::compute {

/// The byte that outputs and workspaces are filled with before each execution: a NaN in each type,
/// and not the one that GPUs compute (0x7fffffff, 0x7fff, 0x7f).
constexpr unsigned char poison_byte = 0xff;

/// How far a result is from the reference; every element is looked at.
struct comparison {
  double relative_error = 0;          ///< ||y - r|| / ||r||
  double element_error = 0;           ///< largest |y - r| / magnitude
  unsigned long long unwritten = 0;   ///< elements that still hold the poison
  unsigned long long not_finite = 0;  ///< others that are NaN, or infinitely far off
};

/// `result` lies in host memory as `result_layout` says; `reference` and `magnitude` are packed
/// NC(D)HW.  An element that is not finite, or that was never written, makes both errors infinite,
/// and so does one that is not exact where its magnitude is 0.
comparison compare(const void* result, element type, const tensor& result_layout,
                   const double* reference, const double* magnitude);

/// The same where `reference` and `magnitude` lie in the order of `result`: twice as fast, for many
/// results of one problem.
comparison compare_in_order(const void* result, element type, std::size_t count,
                            const double* reference, const double* magnitude);

}  // namespace cudnn_checked::compute
