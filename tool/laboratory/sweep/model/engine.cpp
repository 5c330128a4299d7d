// SPDX-License-Identifier: BSD-3-Clause
#include "engine.h"

#include "../../legacy/variants.h"

namespace cudnn_checked::sweep {

network_engine network_engine_of(std::int64_t number) {
  return {static_cast<compute::recurrent_algorithm>(number / 4 % 4),
          static_cast<compute::recurrent_math>(number % 4)};
}

std::string engine_name(operation what, std::int64_t engine) {
  if (!has_algorithms(what)) return std::to_string(engine);
  if (!is_network(what)) {
    return compute::variant_name(fused_of(what), static_cast<int>(engine));
  }
  const network_engine one = network_engine_of(engine);
  return std::string(to_string(one.algorithm)) + ", " + to_string(one.math);
}

std::string engine_phrase(operation what, std::int64_t engine) {
  const std::string name = engine_name(what, engine);
  if (name == compute::only_variant) return "the " + name;
  return (has_algorithms(what) ? "algorithm " : "engine ") + name;
}

}  // namespace cudnn_checked::sweep
