// SPDX-License-Identifier: BSD-3-Clause
#include "../install_layout.h"

#include "../../../core/linux/linux_system.h"
#include "../../../core/model/machine.h"
#include "../../../core/model/path_table.h"
#include "../../../core/model/paths.h"

namespace cudnn_checked::cli {

arena_vector<arena_string> library_directories(const arena_string& prefix) {
  const loader_build& build = loader_build_for(own_machine);
  arena_vector<arena_string> all = {prefix + "/lib/" + build.triplet, prefix + "/lib64",
                                    prefix + "/lib"};
  const arena_string machine = machine_name(own_machine);
  if (machine == "aarch64") all.push_back(prefix + "/targets/sbsa-linux/lib");
  all.push_back(prefix + "/targets/" + machine + "-linux/lib");
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
  arena_string value;
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) {
    if (os.variable(name, value) && !value.empty()) all.push_back({value, name});
  }
  for (const arena_string& name : sorted_names_in(os, "/usr/local", "cuda")) {
    all.push_back({"/usr/local/" + name, "CUDA toolkit"});
  }
  return all;
}

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
    all.push_back({entry, "LD_LIBRARY_PATH[" + to_string(index) + "]", index});
  }
  return all;
}

arena_vector<candidate> places_of_loader(const system_interface& os) {
  arena_vector<candidate> all = ld_library_path_entries(os);
  for (const cached_file& entry : cache_entries(os, "libcudnn")) {
    all.push_back({directory_part(entry.path), "ld.so.cache"});
  }
  for (const arena_string& directory : os.default_directories()) {
    all.push_back({directory, "default path"});
  }
  return all;
}

arena_vector<arena_string> places_in_packages() {
  return {"nvidia/cudnn/lib", "nvidia/cudnn_jit/lib", "torch/lib"};
}

arena_string folder_of_conda() { return "/lib"; }

}  // namespace cudnn_checked::cli
