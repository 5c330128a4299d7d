// SPDX-License-Identifier: BSD-3-Clause
//
// NVIDIA's installer and archives: "Installing cuDNN on Windows"; wheels: win_amd64 of 9.28.0;
// conda: its packages put DLLs into Library/bin.
#include "../install_layout.h"

#include "../../../core/model/path_table.h"
#include "../../../core/model/paths.h"
#include "../../../core/system/platform.h"
#include "../../../core/windows/dll_rules.h"
#include "../../text/lists.h"
#include "../search_places.h"

namespace cudnn_checked::cli {

/// "12.9": the folders in bin of NVIDIA's installer, one for each CUDA.
static bool is_cuda_folder(const arena_string& name) { return is_digit(name[0]); }

arena_vector<arena_string> library_directories(const system_interface& os,
                                               const arena_string& prefix) {
  constexpr std::string_view cuda = "CUDA";
  const arena_vector<arena_string> folders = searched_folders(search_folder::dlls);
  arena_vector<arena_string> all;
  for (const arena_string& folder : folders) {
    if (folder.find(cuda) == arena_string::npos) all.push_back(join_path(prefix, folder));
  }
  for (const arena_string& name : sorted_names_in(os, prefix + "/bin")) {
    if (!is_cuda_folder(name)) continue;
    for (const arena_string& folder : folders) {
      const std::size_t at = folder.find(cuda);
      if (at == arena_string::npos) continue;
      all.push_back(
          join_path(prefix, folder.substr(0, at) + name + folder.substr(at + cuda.size())));
    }
  }
  return all;
}

// C:/Program Files/NVIDIA/CUDNN/v9.14/{bin,include}/13.0
arena_vector<arena_string> header_directories(const arena_string& library_directory) {
  arena_vector<arena_string> all;
  arena_string above = library_directory;
  arena_string cuda;
  for (int level = 0; level < (cuda.empty() ? 2 : 3) && above.find('/') != arena_string::npos;
       ++level) {
    if (is_cuda_folder(base_name(above))) cuda = base_name(above);
    above = directory_part(above);
    all.push_back(join_path(above, "include"));
    if (!cuda.empty()) all.push_back(join_path(above, "include/" + cuda));
  }
  return all;
}

arena_vector<arena_string> package_directories(const system_interface& os,
                                               const arena_string& prefix) {
  arena_vector<arena_string> prefixes = {prefix};
  for (const arena_string& folder : searched_folders(search_folder::portable)) {
    prefixes.push_back(join_path(prefix, folder));
  }
  arena_vector<arena_string> all;
  for (const arena_string& one : prefixes) {
    const arena_string directory = one + "/Lib/site-packages";
    if (!os.real_path(directory).empty()) all.push_back(directory);
  }
  return all;
}

static const char* name_of(known_installer by) {
  switch (by) {
    case known_installer::cuda:
      return "CUDA toolkit";
    case known_installer::cudnn:
      return "NVIDIA's installer";
    case known_installer::vcpkg:
      return "vcpkg";
  }
  return "";
}

static void add_installed(const system_interface& os, const known_install& row,
                          arena_vector<candidate>& all) {
  const arena_string above = path_in_variable(os, row.variable);
  if (above.empty()) return;
  const arena_string path = join_path(above, row.name);
  if (path.back() != '*') {
    all.push_back({path, name_of(row.by)});
    return;
  }
  const arena_string directory = directory_part(path);
  const arena_string family = base_name(path.substr(0, path.size() - 1));
  for (const arena_string& name : sorted_names_in(os, directory, family.c_str())) {
    all.push_back({join_path(directory, name), name_of(row.by)});
  }
}

arena_vector<candidate> toolkit_prefixes(const system_interface& os) {
  arena_vector<candidate> all;
  for (const arena_string& name : searched_variables(search_stage::cuda)) {
    const arena_string value = path_in_variable(os, name.c_str());
    if (!value.empty()) all.push_back({value, name});
  }
  for (const known_install& row : known_installs()) {
    if (row.by == known_installer::cuda) add_installed(os, row, all);
  }
  return all;
}

arena_vector<candidate> install_prefixes(const system_interface& os) {
  arena_vector<candidate> all;
  for (const known_install& row : known_installs()) {
    if (row.by != known_installer::cuda) add_installed(os, row, all);
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
      all.push_back({directory, "PATH[" + to_string(index) + "]", index, true});
    }
    ++index;
  }
  return all;
}

arena_vector<candidate> places_of_loader(const system_interface& os) {
  arena_vector<candidate> all;
  for (const arena_string& directory : os.default_directories()) {
    all.push_back({directory, "the system's directories", -1, true});
  }
  const arena_vector<candidate> entries = ld_library_path_entries(os);
  all.append(entries);
  // NVIDIA's installer names bin in PATH, and the DLLs are in folders below it (faster-whisper,
  // issue 1230); people name the folder of an archive, above its bin (tensorflow, issue 10033).
  for (const candidate& entry : entries) {
    if (entry.directory.find('"') != arena_string::npos) {
      all.push_back({plain_spelling(entry.directory), "in quotes in " + entry.found_by});
      continue;
    }
    const bool is_bin = lower_case(base_name(entry.directory)) == "bin";
    const arena_string prefix = is_bin ? directory_part(entry.directory) : entry.directory;
    const arena_string below = is_bin ? entry.directory + "/" : join_path(entry.directory, "bin");
    for (const arena_string& directory : library_directories(os, prefix)) {
      if (starts_with(directory, below)) all.push_back({directory, "below " + entry.found_by});
    }
  }
  return all;
}

arena_vector<arena_string> places_in_packages() {
  arena_vector<arena_string> all;
  for (const arena_string& folder : searched_folders(search_folder::wheel)) {
    all.push_back(folder + "/bin");
  }
  all.append(searched_folders(search_folder::own_dlls));
  return all;
}

arena_string folder_of_conda() { return "/Library/bin"; }

arena_vector<cached_file> cache_entries(const system_interface&, const char*) { return {}; }

}  // namespace cudnn_checked::cli
