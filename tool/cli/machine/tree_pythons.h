// SPDX-License-Identifier: BSD-3-Clause
//
// The Pythons in a tree, known by their packages: none of them is started.
#pragma once

#include <vector>

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// Where to look for them.
struct python_places {
  arena_vector<arena_string> prefixes;
  arena_string version;  ///< "python3.12": only that one; empty: each
};

/// The places of what a person has named: an environment, or its interpreter.  Without prefixes: it
/// is not there.
python_places places_of_python(const system_interface& os, const arena_string& path);

/// Of each Python the directories of its packages, in its order.
std::vector<arena_vector<arena_string>> pythons_of_tree(const system_interface& os,
                                                        const python_places& places);

}  // namespace cudnn_checked::cli
