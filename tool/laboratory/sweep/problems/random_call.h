// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../model/problem.h"
#include "dice.h"

namespace cudnn_checked::sweep {

/// The text of a call of the legacy API, of an operation that is no recurrent network.
///
/// Images have a batch of 1 to 8, 1 to 64 channels and extents of 1 to 33, at most 2^15 elements;
/// a third lies in NHWC, but those of lrn and spatial transformers.
///
///   batch-norm       a quarter per activation, rows of up to 64 times 1024 elements; of training a
///                    fifth persistent with relu, or with relu of a sum; else spatial
///   softmax          half of them such rows; a third log
///   pooling          windows of 1 to 7, padding 0 to 3, stride 1 to 3; half of them maxima
///   conv-backward    1 to 64 filters of 1 to 7, padding 0 to 3, stride 1 to 3; a sixth dilated, a
///                    quarter in groups; at most 2e6 products
///   conv-activation  1 to 64 filters of 1, 3 and 5, padding 0 to 2; at most 2e6 products
///   activation       each with the coefficient of problems.def
///   tensor           the second tensor, or the result, has each axis, one, or any; products of 16
///                    numbers at most
///   lrn              1 to 15 channels, alpha 1/2 and 1, beta 1/2 and 3/4, k 1 and 2
///   spatial-*        1 to 4 images of 1 to 8 channels and extents of 2 to 17, in fp32
std::string draw_call(operation what, dice& drawn);

}  // namespace cudnn_checked::sweep
