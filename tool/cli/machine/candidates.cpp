// SPDX-License-Identifier: BSD-3-Clause
#include "candidates.h"

#include "../../core/linux/linux_system.h"
#include "../../core/model/machine.h"
#include "../../core/model/paths.h"
#include "../text/lists.h"

namespace cudnn_checked::cli {

// The variables that the find module reads as well.
static constexpr const char* cudnn_hints[] = {
#define CUDNN_HINT(name) #name,
#include "../../core/observe/cudnn_hints.def"
#undef CUDNN_HINT
};

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

arena_vector<loader_cache_entry> cache_entries(const system_interface& os, const char* prefix) {
  arena_string text;
  if (!os.read_text("/etc/ld.so.cache", text)) return {};
  return read_loader_cache(text, prefix, loader_build_for(own_machine).cache_flags);
}

static void add_prefix(const arena_string& prefix, const arena_string& label,
                       arena_vector<candidate>& all) {
  for (const arena_string& directory : library_directories(prefix)) {
    all.push_back({directory, label});
  }
}

static void add_packages(const system_interface& os, const arena_string& directory,
                         const arena_string& label, arena_vector<candidate>& all) {
  for (const char* place : {"nvidia/cudnn/lib", "nvidia/cudnn_jit/lib", "torch/lib"}) {
    all.push_back({join_path(directory, place), label});
  }
  for (const arena_string& name : sorted_names_in(os, directory)) {
    if (name.size() > 5 && name.substr(name.size() - 5) == ".libs") {
      all.push_back({join_path(directory, name), label});
    }
  }
}

arena_vector<arena_string> package_directories(const system_interface& os,
                                               const arena_string& prefix) {
  arena_vector<arena_string> all;
  for (const char* library : {"/lib/", "/local/lib/"}) {
    for (const arena_string& name : sorted_names_in(os, prefix + library, "python3")) {
      for (const char* folder : {"/site-packages", "/dist-packages"}) {
        const arena_string directory = prefix + library + name + folder;
        if (!os.real_path(directory).empty()) all.push_back(directory);
      }
    }
  }
  return all;
}

arena_vector<candidate> candidates_in(const system_interface& os, const arena_string& directory) {
  constexpr const char* label = "command line";
  arena_vector<candidate> all = {{directory, label}};
  add_prefix(directory, label, all);
  add_packages(os, directory, label, all);
  // The folder that NVIDIA's wheels share.
  for (const char* place : {"cudnn/lib", "cudnn_jit/lib"}) {
    all.push_back({join_path(directory, place), label});
  }
  for (const arena_string& site : package_directories(os, directory)) {
    add_packages(os, site, label, all);
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

static void add_python(const system_interface& os, const python_packages& python,
                       arena_vector<candidate>& all) {
  for (const candidate& place : python.directories) {
    add_packages(os, place.directory, place.found_by, all);
  }
  arena_string prefix;
  if (!os.variable("CONDA_PREFIX", prefix) || prefix.empty()) return;
  all.push_back({prefix + "/lib", "CONDA_PREFIX"});
  for (const arena_string& site : package_directories(os, prefix)) {
    add_packages(os, site, "CONDA_PREFIX", all);
  }
}

arena_vector<candidate> ld_library_path_entries(const system_interface& os) {
  arena_vector<candidate> all;
  arena_string value;
  if (!os.variable("LD_LIBRARY_PATH", value) || value.empty()) return all;
  for (arena_string entry : split_path_list(value, ":;")) {
    while (entry.size() > 1 && entry.back() == '/') entry.pop_back();
    if (entry.empty() || entry[0] != '/') entry = join_path(os.working_directory(), entry);
    all.push_back({entry, "LD_LIBRARY_PATH[" + to_string(all.size()) + "]"});
  }
  return all;
}

arena_vector<candidate> cudnn_candidates(const system_interface& os,
                                         const python_packages& python) {
  arena_vector<candidate> all = ld_library_path_entries(os);
  for (const loader_cache_entry& entry : cache_entries(os, "libcudnn")) {
    all.push_back({directory_part(entry.path), "ld.so.cache"});
  }
  for (const arena_string& directory : os.default_directories()) {
    all.push_back({directory, "default path"});
  }
  arena_string value;
  for (const char* name : cudnn_hints) {
    if (!os.variable(name, value) || value.empty()) continue;
    add_prefix(value, name, all);
    add_packages(os, value, name, all);  // as in the find module, it may name a site-packages
  }
  add_python(os, python, all);
  for (const candidate& toolkit : toolkit_prefixes(os)) {
    add_prefix(toolkit.directory, toolkit.found_by, all);
  }
  return all;
}

}  // namespace cudnn_checked::cli
