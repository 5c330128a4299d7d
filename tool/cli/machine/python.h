// SPDX-License-Identifier: BSD-3-Clause
//
// Which file a command line starts, which Python that is, and from where it imports.
#pragma once

#include <string>
#include <vector>

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

struct python_packages {
  string interpreter;             ///< empty where there is none
  vector<candidate> directories;  ///< from which it imports packages
};

/// That of VIRTUAL_ENV, else the first python3 on PATH; empty where there is none.
string active_python(const system_interface& os);

/// That of an environment; empty where it has none.
string python_below(const string& prefix);

/// Is the file called as a Python is: "python3.12", "pypy3"?  Another program would take the code
/// for its own: of a shell, "import" is a command.
bool is_named_python(const string& file);

/// The directories from which it imports, those of its own library left out.  It is started once,
/// with these options and for at most ten seconds, and imports nothing that it has not imported by
/// then; what it prints on stderr is not shown.  Empty where it does not tell.
vector<string> directories_of_python(const string& interpreter,
                                     const std::vector<std::string>& options);

/// Those of the active Python that are for packages, and those of PYTHONPATH.
python_packages find_python_packages(const system_interface& os);

bool may_be_executed(const string& path);

/// The file that PATH leads to; empty where there is none.
string program_on_path(const system_interface& os, const string& name,
                       const char* without_path = nullptr);

/// The file that execvp(3) takes for that word; empty where there is none.
string program_file(const system_interface& os, const string& word);

/// How a Python is started.
struct python_start {
  string interpreter;                ///< empty: none is
  std::vector<std::string> options;  ///< those that decide from where it imports
  string directory;                  ///< of the script, which comes first; empty: there is none
  vector<string> imports_from;       ///< where the Python runs already: the directories of sys.path
};

/// `file` is what `words` start: a Python, or a script for one, which its first line names.
python_start find_python_start(const system_interface& os, const string& file,
                               const std::vector<std::string>& words);

}  // namespace cudnn_checked::cli
