// SPDX-License-Identifier: BSD-3-Clause
//
// Where a cuDNN may be: the places that the loader looks in, and those that packages, toolkits and
// people put it.
#pragma once

#include <string>
#include <vector>

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"
#include "install_layout.h"
#include "python.h"

namespace cudnn_checked::cli {

/// In the order in which they are shown; one directory may come several times.
arena_vector<candidate> cudnn_candidates(const system_interface& os, const python_packages& python);

/// True unless it is known that there is no such file: nobody knows it of a path in a directory
/// that this user may not search.
bool may_exist(const system_interface& os, const arena_string& path);

/// The variables that name where a cuDNN is, and lead nowhere.
arena_vector<lost_hint> lost_hints(const system_interface& os);

/// Where a cuDNN may be in a directory that somebody names: one of libraries, the prefix of an
/// install, a site-packages or the folder nvidia in it, a virtual environment.
arena_vector<candidate> candidates_in(const system_interface& os, const arena_string& directory);

}  // namespace cudnn_checked::cli
