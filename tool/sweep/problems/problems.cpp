// SPDX-License-Identifier: BSD-3-Clause
#include "problems.h"

namespace cudnn_checked::sweep {

problem problem_at(const request& asked, std::size_t index) {
  problem p;
  p.what = asked.operations[index % asked.operations.size()];
  p.type = asked.types[index / asked.operations.size() % asked.types.size()];
  p.of.channels = static_cast<std::int64_t>(1 + index % 64);
  p.of.filters = 16;
  p.of.image[0] = p.of.image[1] = 8;
  p.of.kernel[0] = p.of.kernel[1] = 3;
  return p;
}

}  // namespace cudnn_checked::sweep
