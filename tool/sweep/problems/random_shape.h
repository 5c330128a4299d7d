// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "../model/problem.h"

namespace cudnn_checked::sweep {

/// The random shape that a seed stands for; it has an output and at most `most` products.
shape random_shape(std::uint64_t seed, double most);

}  // namespace cudnn_checked::sweep
