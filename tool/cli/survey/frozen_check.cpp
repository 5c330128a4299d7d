// SPDX-License-Identifier: BSD-3-Clause
#include "frozen_check.h"

#include "../program/frozen.h"
#include "cudnn_users.h"
#include "environment_neighbours.h"

namespace cudnn_checked::cli {

static int weight_of(verdict result) {
  switch (result) {
    case verdict::refused:
      return 3;
    case verdict::warning:
      return 2;
    case verdict::unknown:
      return 1;
    default:
      return 0;
  }
}

program_check check_application(const system_interface& os, const arena_string& path,
                                const assumed_machine& machine) {
  constexpr std::size_t most_users = 16;
  const environment_neighbours others;
  program_check worst = check_program(os, path, machine, {}, advising::on, {}, &others);
  if (worst.stamped || worst.program.is_library || worst.program.use != cudnn_use::none) {
    return worst;
  }
  const arena_string libraries = libraries_of_frozen(os, path_for_loader(os, path));
  if (libraries.empty()) return worst;
  const frozen_view view(os, libraries);
  std::size_t checked = 0;
  for (const arena_string& user : cudnn_users_in(os, {libraries})) {
    if (checked == most_users) break;
    program_check one = check_program(view, user, machine, {}, advising::build_again);
    if (checked == 0 || weight_of(one.result) > weight_of(worst.result)) worst = one;
    ++checked;
  }
  return worst;
}

}  // namespace cudnn_checked::cli
