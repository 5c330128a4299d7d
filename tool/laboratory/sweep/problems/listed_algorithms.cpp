// SPDX-License-Identifier: BSD-3-Clause
#include "listed_algorithms.h"

#include <algorithm>

#include "../../legacy/problem.h"
#include "../../recurrent/network_text.h"
#include "../../recurrent/problem.h"

namespace cudnn_checked::sweep {

static bool has(const std::vector<element>& types, element type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

/// Each text once: it has all algorithms.
static std::vector<problem> listed_calls(operation what, const std::vector<element>& types) {
  std::vector<problem> made;
  const std::size_t count = compute::legacy_problem_count(fused_of(what));
  for (std::size_t i = 0; i < count; ++i) {
    const compute::legacy_problem one = compute::legacy_problem_at(fused_of(what), i);
    const bool is_known = any_of(made, [&](const problem& other) {
      return other.type == one.type && other.fused_shape == one.shape;
    });
    if (is_known || !has(types, one.type)) continue;
    made.emplace_back();
    made.back().what = what;
    made.back().type = one.type;
    made.back().fused_shape = one.shape;
  }
  return made;
}

static std::vector<problem> listed_networks(operation what, const std::vector<element>& types) {
  // One that has each type.  Which algorithm is offered on another does not matter here.
  constexpr compute::recurrent_gpu any_gpu = {9, 0, 132};
  std::vector<problem> made;
  for (const compute::network_problem& one : compute::network_problems(fused_of(what), any_gpu)) {
    if (!has(types, one.what.type)) continue;
    made.emplace_back();
    made.back().what = what;
    made.back().type = one.what.type;
    made.back().fused_shape = compute::network_text(one.what);
  }
  return made;
}

std::vector<problem> listed_with_algorithms(operation what, const std::vector<element>& types) {
  return is_network(what) ? listed_networks(what, types) : listed_calls(what, types);
}

}  // namespace cudnn_checked::sweep
