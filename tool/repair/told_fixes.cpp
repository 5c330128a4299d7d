// SPDX-License-Identifier: BSD-3-Clause
//
// The fixes of a check that a view cannot show whole: the command line's alone.
#include "adviser.h"
#include "faults.h"

namespace cudnn_checked::repairs {

void advise_on(const system_interface& real, const check_again& check,
               arena_vector<finding>& told) {
  if (any_of(told, is_to_repair)) take_fixes(keep_what_works(real, check, check.look(real)), told);
}

}  // namespace cudnn_checked::repairs
