// SPDX-License-Identifier: BSD-3-Clause
#include "../install_layout.h"

#include <cstring>

#include "../../../core/linux/linux_system.h"
#include "../../../core/model/machine.h"
#include "../../../core/model/path_table.h"
#include "../../../core/model/paths.h"
#include "../search_places.h"

namespace cudnn_checked::cli {

/// The text with the value in place of the word.
static arena_string with_word(const arena_string& text, const char* word,
                              const arena_string& value) {
  const std::size_t at = text.find(word);
  if (at == arena_string::npos) return text;
  return text.substr(0, at) + value + text.substr(at + std::strlen(word));
}

arena_vector<arena_string> library_directories(const system_interface&,
                                               const arena_string& prefix) {
  const loader_build& build = loader_build_for(own_machine);
  const arena_string machine = machine_name(own_machine);
  arena_vector<arena_string> targets = {machine + "-linux"};
  if (machine == "aarch64") targets = {"sbsa-linux", machine + "-linux"};
  arena_vector<arena_string> all;
  for (const arena_string& folder : searched_folders(search_folder::libraries)) {
    if (folder.find("TARGET") == arena_string::npos) {
      all.push_back(join_path(prefix, with_word(folder, "TRIPLET", build.triplet)));
      continue;
    }
    for (const arena_string& target : targets) {
      all.push_back(join_path(prefix, with_word(folder, "TARGET", target)));
    }
  }
  return all;
}

arena_vector<arena_string> header_directories(const arena_string& library_directory) {
  arena_vector<arena_string> all;
  arena_string above = library_directory;
  for (int level = 0; level < 2 && above.size() > 1; ++level) {
    above = directory_part(above);
    all.push_back(join_path(above, "include"));
    all.push_back(
        join_path(above, arena_string("include/") + loader_build_for(own_machine).triplet));
  }
  return all;
}

arena_vector<cached_file> cache_entries(const system_interface& os, const char* prefix) {
  arena_string text;
  arena_vector<cached_file> all;
  if (!os.read_text("/etc/ld.so.cache", text)) return all;
  for (const loader_cache_entry& entry :
       read_loader_cache(text, prefix, loader_build_for(own_machine).cache_flags)) {
    all.push_back({entry.soname, entry.path});
  }
  return all;
}

arena_vector<arena_string> package_directories(const system_interface& os,
                                               const arena_string& prefix) {
  arena_vector<arena_string> all;
  for (const char* library : {"/lib/", "/lib64/", "/local/lib/"}) {
    // In a virtual environment one is a link to the other.
    if (os.real_path(prefix + library) == os.real_path(prefix + "/lib") && !all.empty()) continue;
    for (const arena_string& name : sorted_names_in(os, prefix + library, "python3")) {
      for (const char* folder : {"/site-packages", "/dist-packages"}) {
        const arena_string directory = prefix + library + name + folder;
        if (!os.real_path(directory).empty()) all.push_back(directory);
      }
    }
  }
  return all;
}

arena_vector<candidate> toolkit_prefixes(const system_interface& os) {
  arena_vector<candidate> all;
  for (const arena_string& name : searched_variables(search_stage::cuda)) {
    const arena_string value = value_of(os, name.c_str());
    if (!value.empty()) all.push_back({value, name});
  }
  // Others have their release behind the name.
  for (const arena_string& toolkit : searched_directories(search_stage::cuda)) {
    const arena_string above = directory_part(toolkit);
    for (const arena_string& name : sorted_names_in(os, above, base_name(toolkit).c_str())) {
      all.push_back({join_path(above, name), "CUDA toolkit"});
    }
  }
  return all;
}

arena_vector<candidate> install_prefixes(const system_interface&) { return {}; }

arena_vector<candidate> ld_library_path_entries(const system_interface& os) {
  arena_vector<candidate> all;
  arena_string value;
  if (!os.variable("LD_LIBRARY_PATH", value) || value.empty()) return all;
  path_table<arena_string> known;
  int index = -1;
  for (arena_string entry : split_path_list(value, ":;")) {
    ++index;
    while (entry.size() > 1 && entry.back() == '/') entry.pop_back();
    if (entry.empty() || entry[0] != '/') entry = join_path(os.working_directory(), entry);
    if (known.find(entry) != nullptr) continue;
    known.add(entry);
    all.push_back({entry, "LD_LIBRARY_PATH[" + to_string(index) + "]", index, true});
  }
  return all;
}

arena_vector<candidate> places_of_loader(const system_interface& os) {
  arena_vector<candidate> all = ld_library_path_entries(os);
  for (const cached_file& entry : cache_entries(os, "libcudnn")) {
    all.push_back({directory_part(entry.path), "ld.so.cache", -1, true});
  }
  for (const arena_string& directory : os.default_directories()) {
    all.push_back({directory, "default path", -1, true});
  }
  return all;
}

arena_vector<arena_string> places_in_packages() {
  arena_vector<arena_string> all;
  for (const arena_string& folder : searched_folders(search_folder::wheel)) {
    all.push_back(folder + "/lib");
  }
  all.append(searched_folders(search_folder::own));
  return all;
}

arena_string folder_of_conda() { return "/lib"; }

}  // namespace cudnn_checked::cli
