// SPDX-License-Identifier: BSD-3-Clause
//
// Which file a command line starts, and which Python that is.
#pragma once

#include <string>
#include <vector>

#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

bool may_be_executed(const string& path);

/// The file that execvp(3) takes for that word; empty where there is none.
string program_file(const system_interface& os, const string& word);

/// How a Python is started.
struct python_start {
  string interpreter;                ///< empty: none is
  std::vector<std::string> options;  ///< those that decide from where it imports
  string directory;                  ///< of the script, which comes first; empty: there is none
};

/// `file` is what `words` start: a Python, or a script for one, which its first line names.
python_start find_python_start(const system_interface& os, const string& file,
                               const std::vector<std::string>& words);

}  // namespace cudnn_checked::cli
