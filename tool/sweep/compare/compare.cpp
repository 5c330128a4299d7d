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

bool got_worse(const comparison& all) {
  return std::any_of(all.engines.begin(), all.engines.end(),
                     [](const engine_change& row) { return is_worse(row.what); });
}

}  // namespace cudnn_checked::sweep
