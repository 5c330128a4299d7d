// SPDX-License-Identifier: BSD-3-Clause
//
// Problems that are in no list.
#pragma once

#include <cstddef>

#include "../model/problem.h"

namespace cudnn_checked::sweep {

/// Problem number `index` of those that the seed of a request stands for: the same everywhere.
///
/// Each fifth problem is a call of the legacy API (random_call.h).  Of the others, what is quick is
/// drawn more often: of 16 problems 8 are recurrent networks, 6 convolutions and 2 graphs, which
/// cuDNN compiles.  Of what is not asked for none is drawn.
///
///   convolutions  the shapes of problems.h, in both layouts; half of those with groups are dilated
///   networks      batch 1 to 64, 1 to 12 steps, inputs 1 to 128, hidden 1 to 256, 1 to 3 layers,
///                 one or two directions; three quarters of batches and sizes are multiples of 8,
///                 half of these of 32; a quarter of LSTMs has a projection; a third has sequences
///                 of differing lengths, of these half packed; at most 1e6 products
///   attention     1 to 4 batches, 1 to 8 heads, some of them sharing keys, lengths 1 to 256, heads
///                 of 32 to 128 elements, each mask, log-sum-exp 5 down to -100; E4M3: lengths of
///                 64 to 256, 128 keys and more, heads of 64 and 128, log-sum-exp 5 down to -15
///   matmul        1 to 8 batches, 1 to 256 rows, columns and products of a sum, bias, activation;
///                 E4M3: columns and products are multiples of 16, up to 256 and 1024
///   norms         1 to 256 rows of 2 to 1024 elements
///   conv-bias     images of 1 to 33, kernels of 1, 3 and 5, 1 to 64 channels and filters
///
/// Of an eighth of these, but attention's and those in E4M3, inputs have another range than [-1,
/// 1): times 2^-8 to 2^6, of convolutions 2^4; or plus 1/2 or 1, of others than convolutions a
/// quarter of these times 2^-8 to 2^-4 as well.
problem random_problem(const request& asked, std::size_t index);

/// Whether the request asks for an operation in a type that it has.
bool has_random_problems(const request& asked);

}  // namespace cudnn_checked::sweep
