// SPDX-License-Identifier: BSD-3-Clause
#include "compare.h"

#include <algorithm>

#include "engine_changes.h"
#include "pairs.h"
#include "speed_changes.h"

namespace cudnn_checked::sweep {

comparison compare(const side& then, const side& now) {
  comparison all;
  all.then = then;
  all.now = now;
  const std::vector<problem_pair> pairs = pairs_of(*then.of, *now.of);
  all.compared = pairs.size();
  all.engines = engine_changes(*now.of, pairs);
  add_speed_changes(*now.of, pairs, all);
  return all;
}

bool is_worse(change what) {
  return what == change::newly_fatal || what == change::newly_wrong || what == change::met_by_more;
}

std::vector<std::string> worse_engines(const comparison& all) {
  std::vector<std::string> names;
  for (const engine_change& row : all.engines) {
    const std::string name =
        std::string(to_string(row.of)) + " engine " + std::to_string(row.engine);
    const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
    if (is_worse(row.what) && !is_known) names.push_back(name);
  }
  return names;
}

bool got_worse(const comparison& all) { return !worse_engines(all).empty(); }

}  // namespace cudnn_checked::sweep
