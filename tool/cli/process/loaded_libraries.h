// SPDX-License-Identifier: BSD-3-Clause
//
// What a process that runs has loaded.
#pragma once

#include "../system/process_facts.h"

namespace cudnn_checked::cli {

/// What the process has mapped, by the paths by which the loader opened it, since $ORIGIN is the
/// directory of that: those of its own list, else those to which a search leads.
arena_vector<mapped_object> named_as_the_loader(const system_interface& os,
                                                const process_facts& facts);

/// The libraries among them that may use cuDNN, in the order of their loading as a rule.
arena_vector<arena_string> users_among(const system_interface& os,
                                       const arena_vector<mapped_object>& mapped);

}  // namespace cudnn_checked::cli
