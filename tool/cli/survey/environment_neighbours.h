// SPDX-License-Identifier: BSD-3-Clause
//
// The users of cuDNN in the environments that a repair of one program changes.
#pragma once

#include <map>
#include <string>

#include "../../core/model/arena.h"
#include "../program/check_program.h"

namespace cudnn_checked::cli {

/// Searches an environment at the first request, which comes before anything is changed.
class environment_neighbours final : public neighbours {
 public:
  repairs::sound_users of(const system_interface& os, const arena_string& site) const override;

 private:
  mutable arena memory_;  ///< what a trial makes is given back at its end
  mutable std::map<std::string, environment> known_;
};

}  // namespace cudnn_checked::cli
