// SPDX-License-Identifier: BSD-3-Clause
#include "python_users.h"

#include <algorithm>
#include <set>
#include <utility>

#include "../../core/library/symbols.h"
#include "../../core/loader/program_start.h"
#include "../../core/model/paths.h"
#include "../../repair/python_metadata.h"
#include "../program/check_program.h"
#include "environment.h"

namespace cudnn_checked::cli {

namespace {

/// A directory and what lies in it.
struct package_place {
  arena_string directory;
  recorded_packages recorded;
};

}  // namespace

/// "torch", "torch.py", "torch.cpython-311-x86_64-linux-gnu.so": a name that gives the module.
static bool gives_module(const std::string& name, const std::string& module) {
  return name.compare(0, module.size(), module) == 0 &&
         (name.size() == module.size() || name[module.size()] == '.');
}

static bool has_module(const package_files& package, const std::string& module) {
  return any_of(package.tops, [&](const std::string& top) { return gives_module(top, module); });
}

static std::string name_of(const package_files& package) {
  return repairs::normalized(std::string(package.package.name));
}

/// Whether the requirement counts.  One of an extra counts if it is for a package
/// that is named after this one, such as jax-cuda12-plugin.
static bool is_followed(const std::string& line, const std::string& target,
                        const std::string& owner) {
  const bool of_extra = line.find("extra ==") != std::string::npos;
  return !of_extra || target.compare(0, owner.size() + 1, owner + "-") == 0;
}

/// The packages that have the modules, and what they require.
static std::set<std::string> names_needed(const system_interface& os,
                                          const std::vector<package_place>& places,
                                          const std::vector<std::string>& modules) {
  std::vector<std::string> open;
  for (const package_place& place : places) {
    for (const package_files& package : place.recorded.packages) {
      const bool has =
          any_of(modules, [&](const std::string& module) { return has_module(package, module); });
      if (has) open.push_back(name_of(package));
    }
  }
  std::set<std::string> needed(open.begin(), open.end());
  while (!open.empty()) {
    const std::string owner = open.back();
    open.pop_back();
    for (const package_place& place : places) {
      for (const package_files& package : place.recorded.packages) {
        if (name_of(package) != owner) continue;
        for (const std::string& line :
             repairs::read_distribution(os, place.directory, package.info).requirements) {
          const std::string target = repairs::name_of_requirement(line);
          if (is_followed(line, target, owner) && needed.insert(target).second) {
            open.push_back(target);
          }
        }
      }
    }
  }
  return needed;
}

static std::string absent_module(const std::vector<package_place>& places,
                                 const std::vector<std::string>& modules) {
  for (const std::string& module : modules) {
    const bool is_there = any_of(places, [&](const package_place& place) {
      const std::vector<package_files>& packages = place.recorded.packages;
      const std::vector<std::string>& others = place.recorded.unrecorded;
      return any_of(packages, [&](const package_files& p) { return has_module(p, module); }) ||
             any_of(others, [&](const std::string& name) { return gives_module(name, module); });
    });
    if (!is_there) return module;
  }
  return {};
}

/// Leaves what the modules need.
static void keep_needed(const std::set<std::string>& needed,
                        const std::vector<std::string>& modules, recorded_packages& recorded) {
  std::vector<package_files>& packages = recorded.packages;
  packages.erase(
      std::remove_if(packages.begin(), packages.end(),
                     [&](const package_files& p) { return needed.count(name_of(p)) == 0; }),
      packages.end());
  std::vector<std::string>& others = recorded.unrecorded;
  const auto is_other = [&](const std::string& name) {
    return none_of(modules, [&](const std::string& module) { return gives_module(name, module); });
  };
  others.erase(std::remove_if(others.begin(), others.end(), is_other), others.end());
}

/// The folder or file in the directory that the library is of.
static std::string top_of(const package_place& place, const cudnn_user& user) {
  const std::string path = user.libraries.front();
  const std::string below = path.substr(place.directory.size() + 1);
  return below.substr(0, below.find('/'));
}

/// Whether an earlier directory has the package of that library, too.
static bool is_hidden(const system_interface& os, const std::vector<package_place>& places,
                      std::size_t number, const cudnn_user& user) {
  const arena_string top(top_of(places[number], user));
  for (std::size_t i = 0; i < number; ++i) {
    if (!os.real_path(join_path(places[i].directory, top)).empty()) return true;
  }
  return false;
}

/// The number of the first module for which a package or folder is needed.
class import_order {
 public:
  import_order(const system_interface& os, const std::vector<package_place>& places,
               const std::vector<std::string>& modules)
      : modules_(modules) {
    for (const std::string& module : modules) needed_.push_back(names_needed(os, places, {module}));
  }

  std::size_t number_of(const package_place& place, const cudnn_user& user) const {
    const std::string package(user.package.substr(0, user.package.find(' ')));
    for (std::size_t i = 0; i < modules_.size(); ++i) {
      const bool needs = package.empty() ? gives_module(top_of(place, user), modules_[i])
                                         : needed_[i].count(repairs::normalized(package)) != 0;
      if (needs) return i;
    }
    return modules_.size();
  }

 private:
  const std::vector<std::string>& modules_;
  std::vector<std::set<std::string>> needed_;
};

static constexpr std::size_t most_extensions = 16;

/// Python's own name for what it calls: Extending and Embedding, "Building C and C++ Extensions".
static bool is_extension_module(const system_interface& os, const arena_string& path) {
  const arena_string name = base_name(path);
  return !starts_with(name, "lib") &&
         exports_symbol(os, path, "PyInit_" + name.substr(0, name.find('.')));
}

/// The real paths of the libraries that are mapped once Python has imported an extension module of
/// the package.
static std::set<std::string> loaded_by_import(const system_interface& os,
                                              const package_files& package) {
  std::set<std::string> loaded;
  std::size_t extensions = 0;
  for (const recorded_library& library : package.libraries) {
    if (extensions == most_extensions || !is_extension_module(os, library.path)) continue;
    ++extensions;
    loaded.emplace(os.real_path(library.path));
    started_view view(os, library.path);
    loader search(view);
    observation observed;
    observe_start(search, observed);
    for (const mapped_object& object : objects_of_start(observed.start)) {
      loaded.emplace(os.real_path(object.path));
    }
  }
  return loaded;
}

/// A package without extension modules opens its libraries in a way that is not seen here.
static bool is_late(const system_interface& os, const package_place& place,
                    const cudnn_user& user) {
  for (const package_files& package : place.recorded.packages) {
    if (package.package.name + " " + package.package.number != user.package) continue;
    const std::set<std::string> loaded = loaded_by_import(os, package);
    return !loaded.empty() && none_of(user.libraries, [&](const arena_string& path) {
      return loaded.count(std::string(os.real_path(path))) != 0;
    });
  }
  return false;
}

python_users find_python_users(const system_interface& os,
                               const arena_vector<arena_string>& directories,
                               const std::vector<std::string>& all_modules,
                               const look_limits& limits) {
  std::vector<std::string> modules;
  for (const std::string& module : all_modules)
    modules.push_back(module.substr(0, module.find('.')));
  std::vector<package_place> places;
  for (const arena_string& directory : directories) {
    places.push_back({directory, read_records(os, directory)});
  }
  python_users found;
  found.absent = absent_module(places, modules);
  if (!found.absent.empty()) return found;
  const std::set<std::string> needed = names_needed(os, places, modules);
  const import_order order(os, places, modules);
  std::vector<std::pair<std::size_t, cudnn_user>> users;
  for (std::size_t i = 0; i < places.size(); ++i) {
    environment place;
    place.directory = places[i].directory;
    if (!modules.empty()) keep_needed(needed, modules, places[i].recorded);
    read_requirements(os, places[i].recorded.packages, place);
    find_users(os, places[i].recorded, limits, place);
    found.packages += static_cast<int>(places[i].recorded.packages.size());
    if (place.limit != look_limit::none) found.limit = place.limit;
    for (const cudnn_user& user : place.users) {
      if (modules.size() > 1 && is_late(os, places[i], user)) {
        found.late.emplace(user.libraries.front());
      }
      if (!is_hidden(os, places, i, user))
        users.emplace_back(order.number_of(places[i], user), user);
    }
  }
  std::stable_sort(users.begin(), users.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [number, user] : users) found.users.push_back(user);
  return found;
}

}  // namespace cudnn_checked::cli
