// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <tuple>

#include "judge.h"
#include "rows.h"

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

std::vector<inexact_engine> inexact_engines_of(const record& of) {
  std::vector<inexact_engine> engines;
  for (const result& r : of.results) {
    if (r.what != outcome::inexact || r.problem >= of.problems.size()) continue;
    const operation what = of.problems[r.problem].what;
    const auto found = std::find_if(engines.begin(), engines.end(), [&](const inexact_engine& e) {
      return e.what == what && e.engine == r.with.engine;
    });
    const bool is_new = found == engines.end();
    if (is_new) engines.push_back({what, r.with.engine, 0, 0});
    inexact_engine& engine = is_new ? engines.back() : *found;
    ++engine.plans;
    engine.relative_error = std::max(engine.relative_error, r.relative_error);
  }
  std::sort(engines.begin(), engines.end(), [](const inexact_engine& a, const inexact_engine& b) {
    return std::make_tuple(a.what, a.engine) < std::make_tuple(b.what, b.engine);
  });
  return engines;
}

}  // namespace cudnn_checked::sweep
