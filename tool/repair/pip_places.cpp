// SPDX-License-Identifier: BSD-3-Clause
#include "pip_places.h"

#include <algorithm>
#include <array>

#include "../core/judge/advice/advice.h"
#include "../core/judge/advice/wheel_commands.h"
#include "../core/model/format.h"
#include "../core/model/library_name.h"
#include "../core/model/paths.h"
#include "../core/observe/package_records.h"
#include "../core/observe/site_packages.h"
#include "../core/system/platform.h"
#include "../core/system/python_layout.h"
#include "python_metadata.h"
#include "wheel_contents.h"

namespace cudnn_checked::repairs {

using path_set = std::set<std::string>;

static void add_with_folders(const std::string& path, path_set& all) {
  for (std::size_t at = 0; at != std::string::npos;) {
    at = path.find('/', at + 1);
    all.insert(path.substr(0, at));
  }
}

path_set written_by(const repair& step) {
  path_set all;
  for (const arena_string& requirement : brought_by(step.order)) {
    for (const wheel_file& file : contents_of_wheel(requirement).files) {
      add_with_folders(file.path, all);
    }
  }
  return all;
}

/// Whose files those are is known: packages have recorded them, or they are of a cuDNN's package.
static void add_known(const system_interface& os, const python_environment& e, path_set& all) {
  for (const installed_wheel& wheel : e.wheels) {
    const arena_string record = text_of_record(os, metadata_of(e, wheel) + "/RECORD");
    recorded_file file;
    for (std::size_t at = 0; next_file(record, at, file);) add_with_folders(file.path, all);
    if (is_cudnn_wheel(wheel.name)) add_with_folders(folder_of_cudnn(wheel.name).substr(1), all);
  }
}

// What an older or interrupted installation leaves in the folders of a package of cuDNN is
// nobody's. Without such a package they may be a cuDNN whose record is lost.
static bool is_left_over(const arena_string& folder, const arena_string& name,
                         const path_set& known) {
  if (name == "__pycache__") return true;
  const bool of_package =
      any_of(std::array{"nvidia/cudnn", "nvidia/cudnn_jit"}, [&](const char* own) {
        return known.count(own) != 0 && starts_with(folder + "/", arena_string(own) + "/");
      });
  if (!of_package) return false;
  const bool is_header = starts_with(name, "cudnn") && name.find(".h") != arena_string::npos;
  return name == "__init__.py" || is_header || is_cudnn_name(name);
}

/// The first file below `folder` that is neither known nor left over, or the unknown folder that it
/// lies in; empty: there is none.
static arena_string find_other(const system_interface& os, const arena_string& site,
                               const arena_string& folder, const path_set& known, int levels) {
  arena_vector<arena_string> names;
  const bool is_folder = os.list(join_path(site, folder), "", names) == open_result::opened;
  if (!is_folder && known.count(folder) == 0) return folder;
  sort(names);
  for (const arena_string& name : names) {
    if (levels == 0 || is_left_over(folder, name, known)) continue;
    const arena_string other = find_other(os, site, join_path(folder, name), known, levels - 1);
    if (!other.empty()) return known.count(folder) == 0 ? folder : other;
  }
  return {};
}

// pip --target removes all of the folder "nvidia", and brings the packages back whose names are
// known.
arena_string condition_of_target(const system_interface& os, const repair& step) {
  const python_environment& e = step.where;
  if (!effect_of_installer(e).replaces_folder) return {};
  path_set known = written_by(step);
  add_known(os, e, known);
  known.insert("nvidia");
  const arena_string other = find_other(os, e.site, "nvidia", known, 8);
  if (other.empty()) return {};
  return format("after a copy of %s/%s, which pip would remove", e.site, other);
}

namespace {

struct other_sites {
  arena_vector<arena_string> folders;
  arena_string
      changed_by;  ///< a file that changes sys.path by code, so what comes first is not known
};

}  // namespace

// Python documentation, "site": a line is a folder, or code where it starts with "import".
static void read_path_files(const system_interface& os, const arena_string& site,
                            other_sites& found) {
  for (const arena_string& name : names_in(os, site)) {
    if (!ends_with(name, ".pth")) continue;
    const arena_string file = join_path(site, name);
    for (const arena_string& whole : split_path_list(text_of(os, file), "\n")) {
      const std::string line = trimmed(whole);
      if (line.empty() || line[0] == '#') continue;
      if (line.rfind("import", 0) != 0) {
        const arena_string folder = plain_spelling(line);
        found.folders.push_back(is_absolute(folder) ? folder : join_path(site, folder));
      } else if (line.find("sys.path") != std::string::npos ||
                 line.find("addsitedir") != std::string::npos) {
        found.changed_by = file;
      }
    }
  }
}

arena_vector<arena_string> folders_of_path_files(const system_interface& os,
                                                 const arena_string& site) {
  other_sites found;
  read_path_files(os, site, found);
  return found.folders;
}

static bool has_packages_of_nvidia(const system_interface& os, const arena_string& folder) {
  const arena_vector<arena_string> names = names_in(os, folder, "nvidia_");
  return any_of(names, [](const arena_string& name) {
    return name.find(".dist-info") != arena_string::npos;
  });
}

arena_string condition_of_other_sites(const system_interface& os, const repair& step) {
  const python_environment& e = step.where;
  // uv looks into the environment itself, and pip --target at nothing that is installed.
  const installer_effect of_installer = effect_of_installer(e);
  if (!of_installer.runs_in_python || of_installer.replaces_folder) return {};
  other_sites found;
  read_path_files(os, e.site, found);
  if (!found.changed_by.empty()) {
    return format("where %s does not change what pip finds", found.changed_by);
  }
  if (const arena_string beside = packages_beside(os, e.site); !beside.empty()) {
    found.folders.push_back(beside);
  }
  const answer uses_system = uses_system_packages(os, e.prefix);
  const bool is_virtual = uses_system != answer::unknown;
  const bool shares = uses_system == answer::yes;
  const arena_string version = base_name(directory_part(e.site));
  if (shares || (!is_virtual && of_installer.place == install_place::environment)) {
    const arena_string prefix =
        shares ? prefix_of_programs(home_of_environment(os, e.prefix)) : arena_string();
    found.folders.append(shared_sites(os, prefix, version));
  }
  // By force pip replaces what it finds first, and nothing outside of a virtual environment.
  const arena_vector<arena_string>& ordered = step.order.requirements;
  const bool replaces_own =
      step.order.again && (is_virtual || all_of(ordered, [&e](const arena_string& requirement) {
                             return find_wheel(e, name_of_order(requirement)) != nullptr;
                           }));
  if (replaces_own) return {};
  for (const arena_string& folder : found.folders) {
    if (os.real_path(folder) == os.real_path(e.site) || !has_packages_of_nvidia(os, folder))
      continue;
    return format("where pip does not count the packages of NVIDIA in %s", folder);
  }
  return {};
}

}  // namespace cudnn_checked::repairs
