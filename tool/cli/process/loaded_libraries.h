// SPDX-License-Identifier: BSD-3-Clause
//
// What a process that runs has loaded.
#pragma once

#include "../system/process_facts.h"

namespace cudnn_checked::cli {

/// The libraries that the process has mapped, with the paths by which the loader opened them,
/// because $ORIGIN is the directory of such a path: those of the loader's own list, else those that
/// a search finds.
arena_vector<mapped_object> named_as_the_loader(const system_interface& os,
                                                const process_facts& facts);

/// The libraries among them that may use cuDNN, in the order of their loading as a rule.
arena_vector<arena_string> users_among(const system_interface& os,
                                       const arena_vector<mapped_object>& mapped);

}  // namespace cudnn_checked::cli
