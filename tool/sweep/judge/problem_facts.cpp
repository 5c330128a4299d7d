// SPDX-License-Identifier: BSD-3-Clause
#include "judge.h"

namespace cudnn_checked::sweep {

bool has_narrow_dimension(const problem& p) {
  if (p.of.channels == 1 || p.of.filters == 1 || p.of.channels == p.of.groups) return true;
  for (int i = 0; i < p.of.dimensions; ++i) {
    if (p.of.image[i] == 1 || p.of.kernel[i] == 1 || p.of.output(i) == 1) return true;
  }
  return false;
}

double products_of(const problem& p) {
  double products = static_cast<double>(p.of.batch) * static_cast<double>(p.of.filters) *
                    static_cast<double>(p.of.channels / p.of.groups);
  for (int i = 0; i < p.of.dimensions; ++i) {
    products *= static_cast<double>(p.of.kernel[i]) * static_cast<double>(p.of.output(i));
  }
  return products;
}

}  // namespace cudnn_checked::sweep
