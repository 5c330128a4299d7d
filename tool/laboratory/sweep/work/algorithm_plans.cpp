// SPDX-License-Identifier: BSD-3-Clause
#include "algorithm_plans.h"

#include "legacy_plans.h"
#include "network_plans.h"

namespace cudnn_checked::sweep {

std::unique_ptr<algorithm_plans> make_algorithm_plans(cudnnHandle_t handle, int device,
                                                      const problem& p, std::uint64_t seed) {
  if (is_network(p.what)) return std::make_unique<network_plans>(handle, device, p, seed);
  return std::make_unique<legacy_plans>(handle, p, seed);
}

}  // namespace cudnn_checked::sweep
