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

vector<string> library_directories(const string& prefix) {
  const loader_build& build = loader_build_for(own_machine);
  vector<string> all = {prefix + "/lib/" + build.triplet, prefix + "/lib64", prefix + "/lib"};
  const string machine = machine_name(own_machine);
  if (machine == "aarch64") all.push_back(prefix + "/targets/sbsa-linux/lib");
  all.push_back(prefix + "/targets/" + machine + "-linux/lib");
  return all;
}

vector<string> header_directories(const string& library_directory) {
  vector<string> all;
  string above = library_directory;
  for (int level = 0; level < 2 && above.size() > 1; ++level) {
    above = directory_part(above);
    all.push_back(join_path(above, "include"));
    all.push_back(join_path(above, string("include/") + loader_build_for(own_machine).triplet));
  }
  return all;
}

vector<loader_cache_entry> cache_entries(const system_interface& os, const char* prefix) {
  string text;
  if (!os.read_text("/etc/ld.so.cache", text)) return {};
  return read_loader_cache(text, prefix, loader_build_for(own_machine).cache_flags);
}

static void add_prefix(const string& prefix, const string& label, vector<candidate>& all) {
  for (const string& directory : library_directories(prefix)) {
    all.push_back({directory, label});
  }
}

static void add_packages(const system_interface& os, const string& directory, const string& label,
                         vector<candidate>& all) {
  for (const char* place : {"nvidia/cudnn/lib", "nvidia/cudnn_jit/lib", "torch/lib"}) {
    all.push_back({join_path(directory, place), label});
  }
  for (const string& name : sorted_names_in(os, directory)) {
    if (name.size() > 5 && name.substr(name.size() - 5) == ".libs") {
      all.push_back({join_path(directory, name), label});
    }
  }
}

vector<string> package_directories(const system_interface& os, const string& prefix) {
  vector<string> all;
  for (const char* library : {"/lib/", "/local/lib/"}) {
    for (const string& name : sorted_names_in(os, prefix + library, "python3")) {
      for (const char* folder : {"/site-packages", "/dist-packages"}) {
        const string directory = prefix + library + name + folder;
        if (!os.real_path(directory).empty()) all.push_back(directory);
      }
    }
  }
  return all;
}

vector<candidate> candidates_in(const system_interface& os, const string& directory) {
  constexpr const char* label = "command line";
  vector<candidate> all = {{directory, label}};
  add_prefix(directory, label, all);
  add_packages(os, directory, label, all);
  // The folder that NVIDIA's wheels share.
  for (const char* place : {"cudnn/lib", "cudnn_jit/lib"}) {
    all.push_back({join_path(directory, place), label});
  }
  for (const string& site : package_directories(os, directory)) {
    add_packages(os, site, label, all);
  }
  return all;
}

vector<candidate> toolkit_prefixes(const system_interface& os) {
  vector<candidate> all;
  string value;
  for (const char* name : {"CUDA_PATH", "CUDA_HOME"}) {
    if (os.variable(name, value) && !value.empty()) all.push_back({value, name});
  }
  for (const string& name : sorted_names_in(os, "/usr/local", "cuda")) {
    all.push_back({"/usr/local/" + name, "CUDA toolkit"});
  }
  return all;
}

static void add_python(const system_interface& os, const python_packages& python,
                       vector<candidate>& all) {
  for (const candidate& place : python.directories) {
    add_packages(os, place.directory, place.found_by, all);
  }
  string prefix;
  if (!os.variable("CONDA_PREFIX", prefix) || prefix.empty()) return;
  all.push_back({prefix + "/lib", "CONDA_PREFIX"});
  for (const string& site : package_directories(os, prefix)) {
    add_packages(os, site, "CONDA_PREFIX", all);
  }
}

vector<candidate> ld_library_path_entries(const system_interface& os) {
  vector<candidate> all;
  string value;
  if (!os.variable("LD_LIBRARY_PATH", value) || value.empty()) return all;
  for (string entry : split_path_list(value, ":;")) {
    while (entry.size() > 1 && entry.back() == '/') entry.pop_back();
    if (entry.empty() || entry[0] != '/') entry = join_path(os.working_directory(), entry);
    all.push_back({entry, "LD_LIBRARY_PATH[" + to_string(all.size()) + "]"});
  }
  return all;
}

vector<candidate> cudnn_candidates(const system_interface& os, const python_packages& python) {
  vector<candidate> all = ld_library_path_entries(os);
  for (const loader_cache_entry& entry : cache_entries(os, "libcudnn")) {
    all.push_back({directory_part(entry.path), "ld.so.cache"});
  }
  for (const string& directory : os.default_directories()) {
    all.push_back({directory, "default path"});
  }
  string value;
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
