// SPDX-License-Identifier: BSD-3-Clause
//
// Which file a command line starts, which Python that is, and from where it imports.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

struct python_packages {
  arena_string interpreter;             ///< empty where there is none
  arena_vector<candidate> directories;  ///< from which it imports packages
  std::string wrong;                    ///< the environment that is active, and why its Python
                                        ///< cannot be asked; empty: it was, or none is active
};

/// The Python of VIRTUAL_ENV, else the first python3 on PATH; empty if there is none.  If the
/// Python of VIRTUAL_ENV cannot be started, `wrong` says so: another one has other packages.
arena_string active_python(const system_interface& os, std::string& wrong);

/// The Python of an environment; empty if it has none.
arena_string python_below(const arena_string& prefix);

/// Is the file called as a Python is: "python3.12", "pypy3"?  Another program would take the code
/// for its own: of a shell, "import" is a command.
bool is_named_python(const arena_string& file);

/// The directories from which the interpreter imports, without its own library.  It is started
/// once, with these options and for at most ten seconds, and imports nothing more than at each
/// start; its output on stderr is not shown.  Empty if it does not answer.
arena_vector<arena_string> directories_of_python(const arena_string& interpreter,
                                                 const std::vector<std::string>& options);

struct python_search {
  arena_vector<arena_string> directories;
  std::map<std::string, std::string> archives;  ///< of modules that it imports from one
};

/// The same, and which of these modules are in an archive, as check() of the Python package
/// reports.
python_search search_of_python(const arena_string& interpreter,
                               const std::vector<std::string>& options,
                               const std::vector<std::string>& modules);

/// The directories of the active Python that are for packages, and those of PYTHONPATH.
python_packages find_python_packages(const system_interface& os);

bool may_be_executed(const arena_string& path);

/// The file that PATH leads to; empty where there is none.
arena_string program_on_path(const system_interface& os, const arena_string& name,
                             const char* without_path = nullptr);

/// The file that a shell starts for that word; empty where there is none.
arena_string program_file(const system_interface& os, const arena_string& word);

/// How a Python is started.
struct python_start {
  arena_string interpreter;          ///< empty: none is
  std::vector<std::string> options;  ///< those that decide from where it imports
  arena_string directory;            ///< of the script, which comes first; empty: there is none
  arena_string script;               ///< its path
  arena_vector<arena_string>
      imports_from;      ///< where the Python runs already: the directories of sys.path
  arena_string process;  ///< its number then; empty: what it has in its memory is not known
};

/// `file` is what `words` start: a Python, or a script for one, which its first line names.
python_start find_python_start(const system_interface& os, const arena_string& file,
                               const std::vector<std::string>& words);

}  // namespace cudnn_checked::cli
