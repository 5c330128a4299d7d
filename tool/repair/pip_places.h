// SPDX-License-Identifier: BSD-3-Clause
//
// What an order writes, what pip --target would remove there, and folders beside an environment's
// own whose packages pip takes for those of the environment: it leaves what an order asks for as it
// is where one of them has it, or removes it there.
#pragma once

#include <set>
#include <string>

#include "../core/model/repair.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// "nvidia", "nvidia/cudnn", "nvidia/cudnn/lib" and the files in it, of all that it installs.
std::set<std::string> written_by(const repair& step);

/// "after a copy of /layer/nvidia/own.txt, which pip would remove"; empty where nothing of others
/// is known to lie in what it replaces.
arena_string condition_of_target(const system_interface& os, const repair& step);

/// What has to be so before pip can be trusted with that step; empty: nothing that is known.
arena_string condition_of_other_sites(const system_interface& os, const repair& step);

/// Folders that files NAME.pth of site-packages add to those from which Python imports.
arena_vector<arena_string> folders_of_path_files(const system_interface& os,
                                                 const arena_string& site);

}  // namespace cudnn_checked::repairs
