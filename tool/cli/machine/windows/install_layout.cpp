// SPDX-License-Identifier: BSD-3-Clause
//
// NVIDIA's installer and archives: "Installing cuDNN on Windows"; wheels: win_amd64 of 9.28.0;
// conda: its packages put DLLs into Library/bin.
#include "../install_layout.h"

#include "../../../core/model/path_table.h"
#include "../../../core/model/paths.h"
#include "../../../core/system/platform.h"
#include "../../../core/windows/dll_rules.h"
#include "../search_places.h"

namespace cudnn_checked::cli {

arena_vector<arena_string> library_directories(const arena_string& prefix) {
  return {prefix + "/bin/x64", prefix + "/bin", prefix + folder_of_conda()};
}

arena_vector<arena_string> header_directories(const arena_string& library_directory) {
  arena_vector<arena_string> all;
  arena_string above = library_directory;
  for (int level = 0; level < 2 && above.find('/') != arena_string::npos; ++level) {
    above = directory_part(above);
    all.push_back(join_path(above, "include"));
  }
  // C:/Program Files/NVIDIA/CUDNN/v9.14/{bin,include}/13.0
  all.push_back(join_path(above, "include/" + base_name(library_directory)));
  return all;
}

arena_vector<arena_string> package_directories(const system_interface& os,
                                               const arena_string& prefix) {
  arena_vector<arena_string> all;
  const arena_string directory = prefix + "/Lib/site-packages";
  if (!os.real_path(directory).empty()) all.push_back(directory);
  return all;
}

arena_vector<candidate> toolkit_prefixes(const system_interface& os) {
  arena_vector<candidate> all;
  for (const arena_string& name : searched_variables(search_stage::cuda)) {
    const arena_string value = path_in_variable(os, name.c_str());
    if (!value.empty()) all.push_back({value, name});
  }
  const arena_string programs = path_in_variable(os, "ProgramFiles");
  if (programs.empty()) return all;
  const arena_string toolkits = programs + "/NVIDIA GPU Computing Toolkit/CUDA";
  for (const arena_string& name : sorted_names_in(os, toolkits, "v")) {
    all.push_back({toolkits + "/" + name, "CUDA toolkit"});
  }
  const arena_string installs = programs + "/NVIDIA/CUDNN";
  for (const arena_string& name : sorted_names_in(os, installs, "v")) {
    for (const arena_string& cuda : sorted_names_in(os, installs + "/" + name + "/bin")) {
      all.push_back({installs + "/" + name + "/bin/" + cuda, "NVIDIA's installer"});
    }
  }
  return all;
}

arena_vector<candidate> ld_library_path_entries(const system_interface& os) {
  arena_vector<candidate> all;
  arena_string value;
  if (!os.variable("PATH", value)) return all;
  path_table<arena_string> known;
  int index = 0;
  for (const arena_string& entry : split_path_list(value, ";")) {
    const arena_string directory = directory_of_entry(os, entry);
    if (!entry.empty() && known.find(directory) == nullptr) {
      known.add(directory);
      all.push_back({directory, "PATH[" + to_string(index) + "]", index});
    }
    ++index;
  }
  return all;
}

arena_vector<candidate> places_of_loader(const system_interface& os) {
  arena_vector<candidate> all;
  for (const arena_string& directory : os.default_directories()) {
    all.push_back({directory, "the system's directories"});
  }
  for (const candidate& entry : ld_library_path_entries(os)) all.push_back(entry);
  return all;
}

arena_vector<arena_string> places_in_packages() {
  arena_vector<arena_string> all;
  for (const arena_string& folder : searched_folders(search_folder::wheel)) {
    all.push_back(folder + "/bin");
  }
  all.push_back("torch/lib");
  return all;
}

arena_string folder_of_conda() { return "/Library/bin"; }

arena_vector<cached_file> cache_entries(const system_interface&, const char*) { return {}; }

}  // namespace cudnn_checked::cli
