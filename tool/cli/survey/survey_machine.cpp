// SPDX-License-Identifier: BSD-3-Clause
#include "survey_machine.h"

#include <algorithm>
#include <cstdlib>

#include "../../core/check/cudnn_check.h"
#include "../../core/model/paths.h"
#include "../../core/observe/observe.h"
#include "../../core/system/platform.h"
#include "../machine/candidates.h"
#include "../machine/cudnn_installs.h"
#include "../text/progress.h"
#include "environment.h"

namespace cudnn_checked::cli {

static version version_of_toolkit(const system_interface& os, const string& directory) {
  struct source {
    const char* header;
    const char* macro;
  };
  for (const source& s : {source{"include/cuda.h", "#define CUDA_VERSION "},
                          source{"include/cuda_runtime_api.h", "#define CUDART_VERSION "}}) {
    string text;
    if (!os.read_text(join_path(directory, s.header), text)) continue;
    const std::size_t at = text.find(s.macro);
    if (at == string::npos) continue;
    const string number = text.substr(at + std::string_view(s.macro).size(), 16);
    return decode_cuda_version(std::strtoull(number.c_str(), nullptr, 10));
  }
  return {};
}

static void add_toolkits(const system_interface& os, survey& all) {
  vector<string> observed;
  for (const candidate& place : toolkit_prefixes(os)) {
    const string real = os.real_path(place.directory);
    const version number = version_of_toolkit(os, place.directory);
    if (real.empty() || !number.known()) continue;
    if (std::find(observed.begin(), observed.end(), real) != observed.end()) continue;
    observed.push_back(real);
    all.toolkits.push_back({place.directory, place.found_by, number});
  }
}

static void add_environments(const system_interface& os, const vector<candidate>& places,
                             survey& all) {
  vector<string> observed;
  for (const candidate& place : places) {
    const string real = os.real_path(place.directory);
    if (real.empty() || std::find(observed.begin(), observed.end(), real) != observed.end()) {
      continue;
    }
    observed.push_back(real);
    show_progress("looking at " + place.directory, observed.size(), places.size());
    all.environments.push_back(look_at_environment(os, place));
  }
}

// Whose NEEDED entries name a copy.
static void find_users_of_copies(survey& all) {
  for (cudnn_file& copy : all.copies) {
    for (const environment& place : all.environments) {
      for (const cudnn_user& user : place.users) {
        for (const string& name : user.needed) {
          if (name == base_name(copy.path)) copy.asked_by = user.libraries.front();
        }
      }
    }
  }
}

survey survey_machine(const system_interface& os) {
  survey all;
  const python_packages python = find_python_packages(os);
  all.python = python.interpreter;
  const vector<candidate> places = cudnn_candidates(os, python);
  add_installs(os, places, all);
  add_copies(os, places, all);
  add_environments(os, environment_candidates(os, python), all);
  find_users_of_copies(all);
  for (const loader_cache_entry& entry : cache_entries(os, "libcudnn")) {
    if (os.real_path(entry.path).empty()) all.stale_entries.push_back({entry.soname, entry.path});
  }
  const vector<candidate> entries = ld_library_path_entries(os);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const string& directory = entries[i].directory;
    if (os.real_path(directory).empty()) all.lost_entries.push_back({directory, i});
  }
  int newest = 0;
  for (const cudnn_install& install : all.installs) newest = std::max(newest, install.major);
  loader search(os);
  look_at_install(search, newest == 0 ? 9 : newest, all.by_default);
  all.by_default.linked = true;
  add_toolkits(os, all);
  all.gpu_hardware = has_gpu_hardware(os);
  look_at_machine(search, all.by_default);
  return all;
}

survey survey_directory(const system_interface& os, const string& directory) {
  survey all;
  const vector<candidate> places = candidates_in(os, directory);
  add_installs(os, places, all);
  add_copies(os, places, all);
  add_environments(os, environments_in(os, directory), all);
  find_users_of_copies(all);
  return all;
}

}  // namespace cudnn_checked::cli
