// SPDX-License-Identifier: BSD-3-Clause
//
// Python documentation, "sysconfig", schemes posix_prefix and posix_user; Debian has packages in
// lib/python3/dist-packages.
#include "../model/paths.h"
#include "../system/python_layout.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

arena_string packages_beside(const system_interface& os, const arena_string& site) {
  constexpr std::string_view names[] = {"/lib64/python", "/lib/python"};
  for (const bool first : {true, false}) {
    const std::string_view own = names[first ? 0 : 1];
    const std::size_t at = site.rfind(own);
    if (at == arena_string::npos) continue;
    const arena_string other =
        site.substr(0, at) + arena_string(names[first ? 1 : 0]) + site.substr(at + own.size());
    const arena_string real = os.real_path(other);
    return real.empty() || real == os.real_path(site) ? arena_string() : other;
  }
  return {};
}

arena_vector<arena_string> sites_below(const system_interface& os, const arena_string& prefix,
                                       const char* folder) {
  arena_vector<arena_string> all;
  for (const arena_string& name : names_in(os, prefix + "/lib", "python3")) {
    if (name != "python3" && !starts_with(name, "python3.")) continue;
    all.push_back(prefix + "/lib/" + name + "/" + folder);
  }
  return all;
}

arena_vector<arena_string> shared_sites(const system_interface& os, const arena_string& prefix,
                                        const arena_string& version) {
  arena_vector<arena_string> all;
  arena_string home;
  if (os.variable("HOME", home)) {
    all.push_back(home + "/.local/lib/" + version + "/site-packages");
  }
  if (prefix.empty()) return all;
  for (const arena_string& folder : {version + "/site-packages", version + "/dist-packages",
                                     arena_string("python3/dist-packages")}) {
    all.push_back(prefix + "/lib/" + folder);
    all.push_back(prefix + "/local/lib/" + folder);
  }
  return all;
}

arena_vector<arena_string> standard_libraries(const arena_string& prefix,
                                              const arena_string& version) {
  return {prefix + "/lib/" + version, prefix + "/lib64/" + version};
}

const char* command_of_python() { return "python3"; }

arena_vector<arena_string> files_of_command(const arena_string& command) { return {command}; }

arena_vector<arena_string> directories_of_path(const arena_string& value) {
  return split_path_list(value, ":");
}

arena_string prefix_of_programs(const arena_string& directory) { return directory_part(directory); }

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
