// SPDX-License-Identifier: BSD-3-Clause
//
// The other users of cuDNN: a repair for one of them must not take away another one's cuDNN.
#pragma once

#include <optional>
#include <string>

#include "adviser.h"
#include "held_requirements.h"

namespace cudnn_checked::repairs {

/// "install B in another environment: " and why; empty where the line installs nothing.
std::string elsewhere(const fix_line& line, const held_requirement& broken);
std::string elsewhere(const fix_line& line, const sound_user& harmed);

/// The users before anything is repaired.
class kept_users {
 public:
  kept_users(const system_interface& real, const check_again& check, const checked& now)
      : real_(real), check_(check), now_(now) {}

  /// The first user, of those who took a sound cuDNN, that is left without one, or that takes an
  /// older one, one of another major release or CUDA, or in place of its environment's own one from
  /// elsewhere; null: there is none.  `after` is what the check finds on `view`, to which the line
  /// leads.
  const sound_user* find_harmed(const fix_line& line, const system_interface& view,
                                const checked& after);

 private:
  const system_interface& real_;
  const check_again& check_;
  const checked& now_;
  std::optional<sound_users> before_;
};

}  // namespace cudnn_checked::repairs
