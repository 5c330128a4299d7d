// SPDX-License-Identifier: BSD-3-Clause
//
// Python documentation, "sysconfig", schemes nt and nt_user.
#include "../model/paths.h"
#include "../system/platform.h"
#include "../system/python_layout.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string packages_beside(const system_interface&, const arena_string&) { return {}; }

arena_vector<arena_string> sites_below(const system_interface&, const arena_string& prefix,
                                       const char* folder) {
  return {prefix + "/Lib/" + folder};
}

arena_vector<arena_string> shared_sites(const system_interface& os, const arena_string& prefix,
                                        const arena_string&) {
  arena_vector<arena_string> all;
  const arena_string users = path_in_variable(os, "APPDATA") + "/Python";
  for (const arena_string& name : names_in(os, users, "Python3")) {
    all.push_back(users + "/" + name + "/site-packages");
  }
  if (!prefix.empty()) all.push_back(prefix + "/Lib/site-packages");
  return all;
}

arena_vector<arena_string> standard_libraries(const arena_string& prefix, const arena_string&) {
  return {prefix + "/Lib"};
}

const char* command_of_python() { return "python"; }

// conda is a batch file.
arena_vector<arena_string> files_of_command(const arena_string& command) {
  return {command + ".exe", command + ".bat"};
}

// An entry may be in quotes (Microsoft, "path").
arena_vector<arena_string> directories_of_path(const arena_string& value) {
  arena_vector<arena_string> all;
  for (const arena_string& entry : split_path_list(value, ";")) {
    all.push_back(plain_spelling(entry));
  }
  return all;
}

arena_string prefix_of_programs(const arena_string& directory) {
  return lower_case(base_name(directory)) == "scripts" ? directory_part(directory) : directory;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
