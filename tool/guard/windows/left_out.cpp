// SPDX-License-Identifier: BSD-3-Clause
//
// What a guard leaves out of the rules of a start, as ../left_out.cpp does of the others.
#include "../../core/judge/advice/wheel_commands.h"
#include "../../core/judge/rules/rules.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

fix_line prepend_environment(const python_environment&, const arena_string&, const arena_string&) {
  return command({});
}
fix_lines install_by_extra(const rule_input&, const python_environment&) { return {}; }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
