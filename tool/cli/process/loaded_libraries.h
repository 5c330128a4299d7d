// SPDX-License-Identifier: BSD-3-Clause
//
// What a process that runs has loaded.
#pragma once

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// What the process has mapped, by the paths by which the loader found it: $ORIGIN is the directory
/// of that, and the kernel has resolved the links in what it shows.
arena_vector<mapped_object> named_as_the_loader(const system_interface& os,
                                                const arena_string& program,
                                                const arena_vector<mapped_object>& mapped);

/// The libraries among them that may use cuDNN, in the order of their loading as a rule.
arena_vector<arena_string> users_among(const system_interface& os,
                                       const arena_vector<mapped_object>& mapped);

}  // namespace cudnn_checked::cli
