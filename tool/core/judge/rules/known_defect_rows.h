// SPDX-License-Identifier: BSD-3-Clause
//
// The table of known defects, with the rows for which its includer has defined NARROW.
#pragma once

#include "known_defects.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// clang-format off
static constexpr defect_scope defect_scopes[] = {
#define DEFECT(id, first, last, gpu, last_gpu, set, reach, operations, what, fixed, fix, source) \
  {first, last, fixed, gpu, last_gpu, defective_set::set, defect_reach::reach, -1},
#define ENGINE(number, id, operation, first, last) \
  {first, last, 0, 90, 90, defective_set::any, defect_reach::declared, number},
#include "known_defects.def"
#undef DEFECT
#undef ENGINE
};

static constexpr char defect_texts[] =
#define DEFECT(id, first, last, gpu, last_gpu, set, reach, operations, what, fixed, fix, source) \
  id "\0" operations "\0" what "\0" fix "\0" source "\0"
#define ENGINE(number, id, operation, first, last) id "\0" operation "\0\0\0" "docs/measurements.md\0"
#include "known_defects.def"
#undef DEFECT
#undef ENGINE
    ;
// clang-format on

arena_vector<known_defect> known_defects() {
  return make_defects(defect_scopes, sizeof(defect_scopes) / sizeof(defect_scopes[0]),
                      defect_texts);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
