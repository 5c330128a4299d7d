// SPDX-License-Identifier: BSD-3-Clause
#include "networks.h"

#include <algorithm>

#include "../../recurrent/network_text.h"
#include "../../recurrent/problem.h"

namespace cudnn_checked::sweep {

std::vector<problem> listed_networks(operation what, const std::vector<element>& types) {
  // One that has each type.  Which algorithm is offered on another does not matter here.
  constexpr compute::recurrent_gpu any_gpu = {9, 0, 132};
  std::vector<problem> made;
  for (const compute::network_problem& one : compute::network_problems(fused_of(what), any_gpu)) {
    if (std::find(types.begin(), types.end(), one.what.type) == types.end()) continue;
    made.emplace_back();
    made.back().what = what;
    made.back().type = one.what.type;
    made.back().fused_shape = compute::network_text(one.what);
  }
  return made;
}

}  // namespace cudnn_checked::sweep
