// SPDX-License-Identifier: BSD-3-Clause
#include "survey_machine.h"

#include <algorithm>
#include <cstdlib>

#include "../../core/check/cudnn_check.h"
#include "../../core/model/cudnn_major.h"
#include "../../core/model/paths.h"
#include "../../core/observe/header_version.h"
#include "../../core/observe/observe.h"
#include "../../core/system/platform.h"
#include "../../core/system/program_view.h"
#include "../../repair/passing_memory.h"
#include "../machine/candidates.h"
#include "../machine/cudnn_installs.h"
#include "../program/assumed_machine.h"
#include "../text/progress.h"
#include "environment.h"
#include "recorded_contents.h"

namespace cudnn_checked::cli {

version version_of_toolkit(const system_interface& os, const arena_string& directory) {
  struct source {
    const char* header;
    const char* macro;
  };
  for (const source& s : {source{"include/cuda.h", "CUDA_VERSION"},
                          source{"include/cuda_runtime_api.h", "CUDART_VERSION"}}) {
    const repairs::passing_memory until_here;  // cuda.h has a megabyte
    arena_string text;
    if (!os.read_text(join_path(directory, s.header), text)) continue;
    const version number = read_cuda_version(text, s.macro);
    if (number.known()) return number;
  }
  return {};
}

static void add_toolkits(const system_interface& os, survey& all) {
  arena_vector<arena_string> observed;
  for (const candidate& place : toolkit_prefixes(os)) {
    const arena_string real = os.real_path(place.directory);
    const version number = version_of_toolkit(os, place.directory);
    if (real.empty() || !number.known()) continue;
    if (add_once(real, observed)) all.toolkits.push_back({place.directory, place.found_by, number});
  }
}

static const environment* find_environment(const survey* before, const arena_string& directory) {
  if (before == nullptr) return nullptr;
  return find_where(before->environments,
                    [&](const environment& place) { return place.directory == directory; });
}

static void add_environments(const system_interface& os, const arena_vector<candidate>& places,
                             const survey* before, survey& all) {
  arena_vector<arena_string> observed;
  for (const candidate& place : places) {
    const arena_string real = os.real_path(place.directory);
    if (real.empty() || !add_once(real, observed)) continue;
    if (before == nullptr) {
      show_progress("looking at " + place.directory, observed.size(), places.size());
    }
    all.environments.push_back(
        look_at_environment(os, place, {}, find_environment(before, place.directory)));
  }
}

// Finds the libraries whose NEEDED entries name a copy.
static void find_users_of_copies(survey& all) {
  for (cudnn_file& copy : all.copies.in_place()) {
    for (const environment& place : all.environments) {
      for (const cudnn_user& user : place.users) {
        for (const arena_string& name : user.needed) {
          if (name == base_name(copy.path)) copy.asked_by = user.libraries.front();
        }
      }
    }
  }
}

/// Is that entry of the loader's variable no directory?  Then it is added.
static void note_lost_entry(const system_interface& os, const candidate& entry, survey& all) {
  lost_entry lost{entry.directory, entry.index};
  if (!may_exist(os, entry.directory)) {
    const bool is_quoted = entry.directory.find('"') != arena_string::npos;
    lost.why = is_quoted ? lost_reason::quoted : lost_reason::missing;
  } else if (open_file(os, entry.directory).result() == open_result::opened) {
    lost.why = lost_reason::file;
  } else {
    return;
  }
  all.lost_entries.push_back(lost);
}

static void look_around(const system_interface& os, const survey* before, survey& all) {
  for (const cached_file& entry : cache_entries(os, "libcudnn")) {
    if (!may_exist(os, entry.path)) all.stale_entries.push_back({entry.name, entry.path});
  }
  for (const candidate& entry : ld_library_path_entries(os)) note_lost_entry(os, entry, all);
  all.lost_hints = lost_hints(os);
  int newest = 0;
  for (const cudnn_install& install : all.installs) newest = std::max(newest, install.major);
  // Libraries that this process has preloaded stay in it after LD_PRELOAD is unset; another process
  // does not have them.
  const program_view another(os, os.program_path());
  loader search_of_another(another);
  look_at_install(search_of_another, newest == 0 ? newest_cudnn : newest, all.by_default);
  all.by_default.linked = true;
  if (before != nullptr) {
    all.toolkits = before->toolkits;
    all.gpu_hardware = before->gpu_hardware;
    observe_driver(search_of_another, all.by_default);
    all.by_default.devices = before->by_default.devices;
    return;
  }
  add_toolkits(os, all);
  all.gpu_hardware = has_gpu_hardware(os);
  loader search(os);
  look_at_machine(search, all.by_default);
}

static arena_vector<candidate> joined(arena_vector<candidate> first,
                                      const arena_vector<candidate>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

survey survey_of(const system_interface& os, const survey_scope& scope, const survey* before) {
  survey all;
  const bool machine = scope.directories.empty();
  arena_vector<candidate> places;
  arena_vector<candidate> environments;
  for (const arena_string& directory : scope.directories) {
    places = joined(places, candidates_in(os, directory));
    environments = joined(environments, environments_in(os, directory));
  }
  if (machine) {
    all.python = scope.python.interpreter;
    places = cudnn_candidates(os, scope.python);
    environments = environment_candidates(os, scope.python);
  }
  add_installs(os, places, all);
  if (!machine || all.installs.empty()) add_sets_without_shim(os, places, all);
  add_copies(os, places, all);
  add_environments(os, environments, before, all);
  if (scope.in_tree) {
    for (environment& place : all.environments.in_place()) {
      for (cudnn_user& user : place.users.in_place()) {
        user.findings = without_gpu_findings(user.findings);
      }
    }
  }
  find_users_of_copies(all);
  if (machine) look_around(os, before, all);
  if (scope.hash) compare_contents(os, before, all);
  return all;
}

}  // namespace cudnn_checked::cli
