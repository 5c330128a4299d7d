// SPDX-License-Identifier: BSD-3-Clause
//
// The elements of a tensor: drawn, and moved between float64 and the bytes that a GPU works with.
#pragma once

#include <cstddef>

#include "random_numbers.h"
#include "tensor.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace compute {

/// `count` numbers, uniform in [-1, 1) and representable in `type`: what the GPU gets is what the
/// reference computes with.
void fill_random(random_numbers& random, element type, double* values, std::size_t count);

/// The bytes of a tensor as the device wants them: where.elements() * size_of(type).  `values` are
/// packed NC(D)HW.
void pack(const double* values, const tensor& where, element type, unsigned char* bytes);

/// Moves packed NC(D)HW numbers to where `where` has them, `where.elements()` in all.
void arrange(const double* values, const tensor& where, double* arranged);

}  // namespace compute
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
