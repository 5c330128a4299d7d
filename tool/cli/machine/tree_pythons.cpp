// SPDX-License-Identifier: BSD-3-Clause
#include "tree_pythons.h"

#include "../../core/model/paths.h"
#include "../../core/system/python_layout.h"
#include "install_layout.h"

namespace cudnn_checked::cli {

namespace {

struct python_of_tree {
  arena_string version;  ///< "python3.12"
  arena_string folder;   ///< "site-packages"
  arena_vector<arena_string> directories;
};

}  // namespace

/// That of Debian's packages, which each of its Pythons has: lib/python3/dist-packages.
static bool is_of_each(const arena_string& version) { return version == "python3"; }

/// What an administrator has installed comes first, as Debian and Fedora have it.
static arena_vector<arena_string> in_their_order(const arena_vector<arena_string>& directories,
                                                 const arena_string& prefix) {
  arena_vector<arena_string> all;
  for (const bool local : {true, false}) {
    for (const arena_string& one : directories) {
      if (starts_with(one, prefix + "/local/") == local) all.push_back(one);
    }
  }
  return all;
}

/// Debian's Pythons have dist-packages alone, and all others site-packages.
static std::vector<python_of_tree> pythons_below(const system_interface& os,
                                                 const arena_string& prefix) {
  std::vector<python_of_tree> all;
  arena_vector<arena_string> of_each;
  for (const arena_string& one : in_their_order(package_directories(os, prefix), prefix)) {
    const arena_string version = python_of_site(one);
    const arena_string folder = base_name(one);
    python_of_tree* const known = find_where(all, [&](const python_of_tree& python) {
      return python.version == version && python.folder == folder;
    });
    if (is_of_each(version)) {
      of_each.push_back(one);
    } else if (known != nullptr) {
      known->directories.push_back(one);
    } else {
      all.push_back({version, folder, {one}});
    }
  }
  bool is_taken = false;
  for (python_of_tree& python : all) {
    if (python.folder != "dist-packages") continue;
    python.directories.append(of_each);
    is_taken = true;
  }
  if (!is_taken && !of_each.empty()) all.push_back({"python3", "dist-packages", of_each});
  return all;
}

python_places places_of_python(const system_interface& os, const arena_string& path) {
  const arena_string real = os.real_path(path);
  arena_vector<arena_string> names;
  if (real.empty()) return {};
  if (os.list(path, "", names) == open_result::opened) return {{path}, {}};
  const arena_string version = base_name(real);
  const bool is_known = starts_with(version, "python3.");
  return {{prefix_of_programs(directory_part(path))}, is_known ? version : arena_string()};
}

std::vector<arena_vector<arena_string>> pythons_of_tree(const system_interface& os,
                                                        const python_places& places) {
  std::vector<arena_vector<arena_string>> all;
  for (const arena_string& prefix : places.prefixes) {
    for (const python_of_tree& python : pythons_below(os, prefix)) {
      const bool fits =
          places.version.empty() || python.version == places.version || is_of_each(python.version);
      if (fits) all.push_back(python.directories);
    }
  }
  return all;
}

}  // namespace cudnn_checked::cli
