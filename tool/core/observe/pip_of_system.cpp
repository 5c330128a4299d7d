// SPDX-License-Identifier: BSD-3-Clause
#include "pip_of_system.h"

#include "../model/paths.h"
#include "../model/platform_words.h"
#include "../system/platform.h"
#include "../system/python_layout.h"
#include "site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// Those that a container runtime sets are in moby, DefaultPathEnv.
arena_vector<arena_string> directories_of_programs(const system_interface& os) {
  arena_string path;
  const bool known = os.variable("PATH", path);
  return directories_of_path(known ? path : arena_string("/usr/local/bin:/usr/bin:/bin"));
}

arena_string program_on_path(const system_interface& os, const arena_string& name) {
  for (const arena_string& directory : directories_of_programs(os)) {
    for (const arena_string& file : files_of_command(name)) {
      const arena_string path = directory + "/" + file;
      if (!directory.empty() && exists(os, path)) return path;
    }
  }
  return {};
}

bool has_program(const system_interface& os, const char* name) {
  return !program_on_path(os, name).empty();
}

arena_string home_of_environment(const system_interface& os, const arena_string& prefix) {
  const arena_string settings = text_of(os, prefix + "/pyvenv.cfg");
  for (const arena_string& line : split_path_list(settings, "\n")) {
    const std::size_t equal = line.find('=');
    if (!starts_with(line, "home") || equal == arena_string::npos) continue;
    const arena_string value = line.substr(equal + 1);
    const std::size_t begin = value.find_first_not_of(" \t");
    if (begin == arena_string::npos) continue;
    return plain_spelling(value.substr(begin, value.find_first_of("\r") - begin));
  }
  return {};
}

// Debian has it in lib/python3/dist-packages, others in lib/python3.X/site-packages.
static bool keeps_pip(const system_interface& os, const arena_string& prefix) {
  for (const char* packages : {"site-packages", "dist-packages"}) {
    for (const arena_string& site : sites_below(os, prefix, packages)) {
      if (starts_pip(os, site)) return true;
    }
  }
  return false;
}

/// Is that the directory of a virtual environment's programs, with a Python that has no pip?
static bool lacks_pip(const system_interface& os, const arena_string& directory) {
  const arena_string prefix = prefix_of_programs(directory);
  return uses_system_packages(os, prefix) == answer::no && !keeps_pip(os, prefix);
}

// Python documentation, "ensurepip": part of the standard library, which Debian has in a package of
// its own.  It leaves a pip that is there, or half of one.
bool brings_pip(const system_interface& os, const python_environment& e) {
  if (exists(os, e.site + "/pip") || !names_in(os, e.site, "pip-").empty()) return false;
  const arena_string home = home_of_environment(os, e.prefix);
  if (home.empty()) return false;
  for (const arena_string& library :
       standard_libraries(prefix_of_programs(home), python_of_site(e.site))) {
    if (exists(os, library + "/ensurepip/__main__.py")) return true;
  }
  return false;
}

// One that has none may come before it on PATH.  A command of another name, as Windows' "py", may
// start another one.
bool find_pip_of_system(const system_interface& os, arena_string& python) {
  bool found = false;
  bool first = true;
  const arena_string command = command_of_python();
  const bool is_command = command == python_command();
  arena_string prefix = "/usr";
  for (const arena_string& directory : directories_of_programs(os)) {
    const arena_string program = directory + "/" + files_of_command(command).front();
    if (found || directory.empty() || !exists(os, program)) continue;
    found = !lacks_pip(os, directory);
    if (found && (!first || !is_command)) python = program;
    if (found && base_name(directory) != "shims") {
      prefix = prefix_of_programs(directory);
      // A link, as in ~/bin, starts the Python of where it leads.
      if (!keeps_pip(os, prefix))
        prefix = prefix_of_programs(directory_part(os.real_path(program)));
    }
    first = false;
  }
  return found && (has_program(os, "pip3") || has_program(os, "pip") || keeps_pip(os, prefix));
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
