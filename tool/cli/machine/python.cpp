// SPDX-License-Identifier: BSD-3-Clause
#include "python.h"

#include <unistd.h>

#include "../../core/model/paths.h"
#include "child_output.h"

namespace cudnn_checked::cli {

string active_python(const system_interface& os) {
  string value;
  if (os.variable("VIRTUAL_ENV", value) && !value.empty()) {
    const string python = value + "/bin/python";
    if (::access(python.c_str(), X_OK) == 0) return python;
  }
  return program_on_path(os, "python3");
}

bool is_named_python(const string& file) {
  const string name = base_name(file);
  return starts_with(name, "python") || starts_with(name, "pypy");
}

static constexpr const char* directories_code =
    "import os, sys\n"
    "own = os.path.dirname(os.__file__)\n"
    "for path in sys.path:\n"
    "    if path and path not in (own, os.path.join(own, 'lib-dynload')) and os.path.isdir(path):\n"
    "        print(os.path.abspath(path))\n";

vector<string> directories_of_python(const string& interpreter,
                                     const std::vector<std::string>& options) {
  std::vector<std::string> words{interpreter};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), {"-c", directories_code});
  vector<string> found;
  for (const string& directory : split_path_list(output_of_program(words, 10).text, "\n")) {
    if (!directory.empty() && directory[0] == '/') found.push_back(directory);
  }
  return found;
}

/// "PYTHONPATH[0]"; empty where that variable does not name the directory.
static string entry_of_python_path(const system_interface& os, const string& directory) {
  string value;
  if (!os.variable("PYTHONPATH", value)) return {};
  int index = 0;
  for (const string& entry : split_path_list(value, ":")) {
    if (!entry.empty() && os.real_path(entry) == os.real_path(directory)) {
      return "PYTHONPATH[" + to_string(index) + "]";
    }
    ++index;
  }
  return {};
}

python_packages find_python_packages(const system_interface& os) {
  python_packages found;
  found.interpreter = active_python(os);
  if (found.interpreter.empty()) return found;
  for (const string& directory : directories_of_python(found.interpreter, {})) {
    const std::size_t end = directory.rfind("-packages");
    const string entry = entry_of_python_path(os, directory);
    if (!entry.empty()) {
      found.directories.push_back({directory, entry});
    } else if (end != string::npos && end + 9 == directory.size()) {
      found.directories.push_back({directory, "packages of " + found.interpreter});
    }
  }
  return found;
}

}  // namespace cudnn_checked::cli
