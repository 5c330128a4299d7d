// SPDX-License-Identifier: BSD-3-Clause
//
// Commands, one after the other, until the check finds nothing wrong.
#pragma once

#include <string>
#include <vector>

#include "../core/judge/advice/advice.h"
#include "faults.h"
#include "held_requirements.h"
#include "kept_users.h"

namespace cudnn_checked::repairs {

/// Of a finding.
constexpr std::size_t most_commands = 2;

/// A way out, as far as it leads.
struct plan {
  fix_line command = advice("");
  faults left;
  bool green = false;
};

/// All that was found for one place.
struct ways_out {
  std::vector<plan> plans;
  std::string instead;  ///< words, where a command would mend it and break something else
};

/// Of what is wrong in one place.
ways_out find_ways_out(const system_interface& real, const check_again& check, const checked& now,
                       const std::string& place, held_requirements& held, kept_users& users,
                       int most_trials);

/// Another environment is somebody else's.
bool is_elsewhere(const fix_line& line, const arena_vector<arena_string>& own_sites);

/// May this user type it, with what is installed here?
bool can_be_typed(const system_interface& os, const fix_line& line, const checked& now);

}  // namespace cudnn_checked::repairs
