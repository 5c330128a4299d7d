// SPDX-License-Identifier: BSD-3-Clause
#include "adviser.h"

#include <algorithm>
#include <set>

#include "../core/catalogue/catalogue.h"
#include "../core/judge/advice/advice.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/judge/cudnn_set.h"
#include "../core/judge/rules/rules.h"
#include "../core/library/library_file.h"
#include "../core/model/cudnn_major.h"
#include "../core/model/library_name.h"
#include "../core/model/library_spelling.h"
#include "../core/model/paths.h"
#include "../core/model/platform_words.h"
#include "../core/observe/observe.h"
#include "../core/system/platform.h"
#include "../core/system/python_layout.h"
#include "package_extras.h"
#include "place.h"
#include "python_metadata.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

// Each text has all other entries.  Where more of them lead to a cuDNN, no three steps are enough.
static constexpr std::size_t most_removals = 24;

static bool has_cudnn(const system_interface& os, const arena_string& directory) {
  return !names_in(os, directory, cudnn_name_prefix()).empty();
}

// What the person has set is undone first: nothing is written, and nothing is fetched.
static void add_variables(const system_interface& os, const arena_string& library_path,
                          arena_vector<fix_line>& lines) {
  const arena_string preloaded = value_of(os, "LD_PRELOAD");
  arena_vector<arena_string> unwanted =
      filtered(split_path_list(preloaded, " :"),
               [&](const arena_string& entry) { return is_cudnn_path(os.real_path(entry)); });
  if (!unwanted.empty()) lines.push_back(remove_from_preload(unwanted, preloaded));
  std::set<std::string_view> entries;
  std::size_t removals = 0;
  for (const arena_string& entry : split_path_list(library_path, search_separators())) {
    if (removals == most_removals) return;
    if (!entries.insert(entry).second || !has_cudnn(os, entry)) continue;
    lines.push_back(remove_from_library_path(entry, library_path));
    ++removals;
  }
}

// What the loader takes on this CPU before the folder's own files: no package of cuDNN has any.
static void add_files_for_this_cpu(const system_interface& os,
                                   const arena_vector<arena_string>& places,
                                   arena_vector<fix_line>& lines) {
  for (const arena_string& place : places) {
    arena_vector<fix_line> removals;
    for (const arena_string& folder : os.hwcap_directories()) {
      const arena_string directory = join_path(place, folder);
      for (const arena_string& name : names_in(os, directory, cudnn_name_prefix())) {
        const fix_line one = remove_file(join_path(directory, name));
        removals = {removals.empty() ? one : then(removals.front(), one)};
      }
    }
    lines.append(removals);
  }
}

// A folder of /etc/ld.so.conf that ld.so.cache does not have yet, or no longer as it is.
static void add_cache(const system_interface& os, arena_vector<fix_line>& lines) {
  if (has_loader_cache(os)) lines.push_back(refresh_cache());
}

// A whole cuDNN that lies in the program's own environment, before anything that is downloaded. One
// without a shim would lend its libraries to another's.
static void add_own_sets(const system_interface& os, const python_environment& e,
                         const arena_string& library_path, arena_vector<fix_line>& lines) {
  for (const cudnn_kind kind : {cudnn_kind::full, cudnn_kind::jit_only}) {
    const arena_string directory = e.site + folder_of_cudnn(wheel_of_cudnn(newest_cudnn, 0, kind));
    const arena_vector<arena_string> names = names_in(os, directory, cudnn_name_prefix());
    if (any_of(names,
               [](const arena_string& name) { return role_of_name(name) == library_role::shim; })) {
      lines.push_back(prepend_environment(e, directory, library_path));
    }
  }
}

// What the environment has a record of, before any other release.  Where packages of several have
// written the same files, one of them stays.
static void add_recorded_packages(const python_environment& e, arena_vector<fix_line>& lines) {
  for (const installed_wheel& wheel : e.wheels) {
    if (!is_cudnn_wheel(wheel.name)) continue;
    wheel_order order;
    order.requirements.push_back(wheel.name + "==" + wheel.number);
    order.again = true;
    for (const installed_wheel& other : e.wheels) {
      if (share_a_folder(other.name, wheel.name) && other.name != wheel.name) {
        order.conflicting.push_back(other.name);
      }
    }
    lines.push_back(install_wheels(e, order));
  }
}

/// The release that most files of the folder are of; unknown if none is identified.
static release most_in(const system_interface& os, const arena_string& folder) {
  arena_vector<cudnn_file> files;
  for (const arena_string& name : names_in(os, folder, cudnn_name_prefix())) {
    const library_file contents = read_library(os, join_path(folder, name), 0);
    cudnn_file file;
    file.name = name;
    file.path = join_path(folder, name);
    file.role = role_of_name(name);
    file.state = contents.state;
    file.build_id = contents.build_id;
    files.push_back(file);
  }
  return majority(make_set(files, newest_cudnn));
}

/// Of the libraries of CUDA that the environment contains; 0 if there are none, or of several.
static int cuda_of_wheels(const python_environment& e) {
  int found = 0;
  for (const installed_wheel& wheel : e.wheels) {
    if (!starts_with(wheel.name, cudart_wheel) && !starts_with(wheel.name, nvrtc_wheel)) continue;
    const int major = parse_version(wheel.number).major;
    if (found != 0 && found != major) return 0;
    found = major;
  }
  return found;
}

static bool is_named(const release& which) { return which.number.known() && which.cuda_major != 0; }

// The cuDNN that the program asks for, in place of what is there.  Without a program: if no record
// is left of what lies in the folder, or lay there, the same again.  JIT-only only if it was that.
static void add_package(const system_interface& os, const python_environment& e,
                        const arena_vector<arena_string>& own_places, const release& wanted,
                        cudnn_kind kind, arena_vector<fix_line>& lines) {
  const arena_string any_cuda = wheel_of_cudnn(newest_cudnn, 0, kind);
  const arena_string folder = e.site + folder_of_cudnn(any_cuda);
  const bool recorded = any_of(e.wheels, [&any_cuda](const installed_wheel& wheel) {
    return share_a_folder(any_cuda, wheel.name);
  });
  const bool used = has_cudnn(os, folder) || any_of(own_places, [&folder](const arena_string& own) {
                      return plain_directory(own) == folder + "/";
                    });
  release which = wanted;
  if (!is_named(wanted)) {
    if (recorded || !used) return;
    which = most_in(os, folder);
    if (which.cuda_major == 0) which.cuda_major = cuda_of_wheels(e);
    if (which.cuda_major == 0) return;
  }
  const bool full = kind == cudnn_kind::full;
  if (full && which.number.known() && roles_of(which).empty()) return;
  if (!full && !recorded && !used) return;
  lines.push_back(
      install_the_only_cudnn(e, wheel_of_cudnn(newest_cudnn, which.cuda_major, kind),
                             requirement_of_cudnn(which.number, which.cuda_major, kind)));
}

// What dpkg or conda has installed there, once more.
static void add_system_packages(const system_interface& os,
                                const arena_vector<arena_string>& places,
                                arena_vector<fix_line>& lines) {
  observation there;
  for (const arena_string& place : places) {
    for (const arena_string& name : names_in(os, place, cudnn_name_prefix())) {
      cudnn_file file;
      file.name = name;
      file.path = join_path(place, name);
      file.real_path = os.real_path(file.path);
      there.files.push_back(file);
    }
  }
  observe_packages(os, there);
  arena_vector<arena_string> done;
  for (const cudnn_file& file : there.files) {
    const bool of_system = file.package.installer != nullptr;
    if (of_system && add_once(file.package.record, done)) lines.push_back(reinstall(file.package));
  }
}

// What a finding orders for whichever Python is active: here, and on the loader's way.  What the
// environment has a record of serves as it is recorded.
static void add_ordered_packages(const python_environment& e, const arena_string& library_path,
                                 checked& found) {
  if (is_of_distribution(e)) return;
  for (const finding& f : found.findings) {
    for (const fix_line& line : f.fix) {
      if (line.steps.empty() || line.steps.front().what != repair_kind::wheels) continue;
      const repair& step = line.steps.front();
      if (!step.where.site.empty()) continue;
      const arena_string requirement = of_newest_cudnn(step.order.requirements.front());
      const arena_string name = name_of_order(requirement);
      const installed_wheel* const recorded = find_wheel(e, name);
      if (recorded != nullptr &&
          allows(specifiers_of_order(requirement), recorded->number) == answer::yes) {
        continue;
      }
      const fix_line installed = install_the_only_cudnn(e, name, requirement);
      found.candidates.push_back(installed);
      if (!is_cudnn_wheel(name) || installed.steps.empty()) continue;
      const arena_string directory = e.site + folder_of_cudnn(name);
      found.candidates.push_back(then(installed, prepend_environment(e, directory, library_path)));
    }
  }
}

// pip --target would fetch the package itself again, and the rest of its folder.
static void add_extras(const system_interface& os, const python_environment& e,
                       arena_vector<fix_line>& lines) {
  if (effect_of_installer(e).place == install_place::folder) return;
  for (const wheel_order& order : orders_by_extras(os, e.site)) {
    lines.push_back(install_wheels(e, order));
  }
}

/// Where that prefix has the packages of its Python.
static void add_sites_of(const system_interface& os, const arena_string& prefix,
                         arena_vector<arena_string>& places) {
  for (const arena_string& site : sites_below(os, prefix, "site-packages")) {
    places.push_back(site + "/");
  }
}

void add_candidates(const system_interface& os, const arena_vector<arena_string>& own_places,
                    const release& wanted, checked& found) {
  const arena_string library_path = value_of(os, search_variable());
  add_variables(os, library_path, found.candidates);
  add_cache(os, found.candidates);
  add_files_for_this_cpu(os, own_places, found.candidates);
  add_system_packages(os, own_places, found.candidates);
  arena_vector<arena_string> places;
  for (const arena_string& place : own_places) {
    places.push_back(place + "/");
    // conda has its libraries in "lib", where they are found, and those of packages of pip below.
    const arena_string prefix = directory_part(directory_part(plain_directory(place)));
    if (exists(os, prefix + "/conda-meta")) add_sites_of(os, prefix, places);
  }
  arena_vector<python_environment> own = python_environments_of(os, places);
  arena_vector<arena_string> active_places;
  const arena_string active = path_in_variable(os, "VIRTUAL_ENV");
  if (!active.empty()) add_sites_of(os, active, active_places);
  const arena_vector<python_environment> activated = python_environments_of(os, active_places);
  // A program that lies in none uses the one that its user has activated.  One whose run path
  // leads to another's may take its cuDNN: nothing is changed there.
  if (own.empty()) {
    own = activated;
  } else {
    for (const python_environment& e : activated) {
      add_own_sets(os, e, library_path, found.candidates);
    }
  }
  for (const python_environment& e : own) {
    found.own_sites.push_back(e.site);
    for (const installed_wheel& wheel : e.wheels) found.own_wheels.push_back(wheel.name);
    add_own_sets(os, e, library_path, found.candidates);
    add_recorded_packages(e, found.candidates);
    for (const cudnn_kind kind : {cudnn_kind::full, cudnn_kind::jit_only}) {
      add_package(os, e, own_places, wanted, kind, found.candidates);
    }
    add_ordered_packages(e, library_path, found);
    add_extras(os, e, found.candidates);
  }
}

}  // namespace cudnn_checked::repairs
