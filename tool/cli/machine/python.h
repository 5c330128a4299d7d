// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

struct python_packages {
  string interpreter;          ///< empty where there is none
  vector<string> directories;  ///< from which it imports packages
};

/// That of VIRTUAL_ENV, else the first python3 on PATH; empty where there is none.
string active_python(const system_interface& os);

/// The active Python is started once, for at most ten seconds, to ask for sys.path; what it prints
/// on stderr is not shown.
python_packages find_python_packages(const system_interface& os);

}  // namespace cudnn_checked::cli
