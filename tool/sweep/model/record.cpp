// SPDX-License-Identifier: BSD-3-Clause
#include "record.h"

#include <algorithm>

namespace cudnn_checked::sweep {

bool has_precompiled(const record& seen) {
  return std::any_of(seen.results.begin(), seen.results.end(),
                     [](const result& r) { return !r.with.compiled_at_run; });
}

}  // namespace cudnn_checked::sweep
