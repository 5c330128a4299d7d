// SPDX-License-Identifier: BSD-3-Clause
#include "taken_fixes.h"

namespace cudnn_checked::repairs {

static bool is_same_fault(const finding& one, const finding& other) {
  const bool of_library = one.id == finding_id::dependency_missing;
  return one.id == other.id && (!of_library || one.expected.value == other.expected.value);
}

void take_fixes(const vector<finding>& tried, vector<finding>& told) {
  for (finding& f : told) {
    const finding* same = nullptr;
    for (const finding& other : tried) {
      if (same == nullptr && is_same_fault(f, other)) same = &other;
    }
    if (same != nullptr) f.fix = same->fix;
  }
  mark_untried(told);
}

}  // namespace cudnn_checked::repairs
