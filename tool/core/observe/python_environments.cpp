// SPDX-License-Identifier: BSD-3-Clause
//
// The Python environments that the files lie in, and who installs packages there.  A guard has
// another one (guard/own_environments.cpp).
#include "../judge/advice/wheel_commands.h"
#include "../model/library_spelling.h"
#include "../model/paths.h"
#include "../model/platform_words.h"
#include "../model/unstamped_program.h"
#include "../system/platform.h"
#include "../system/python_layout.h"
#include "observe.h"
#include "pip_of_system.h"
#include "site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

class environment_search {
 public:
  environment_search(const system_interface& os, arena_vector<python_environment>& found)
      : os_(os), found_(found) {}

  /// The environment of that file or directory, where it lies in one that is not known yet.
  void look_at(const arena_string& path);

 private:
  bool exists(const arena_string& path) const { return cudnn_checked::exists(os_, path); }
  arena_string program_of_system(const arena_string& name, arena_string& path) const;
  bool is_of_this_user(const arena_string& prefix) const;
  void find_interpreter(const arena_string& version, installer_search& search) const;
  bool is_installed_by_uv(const python_environment& e) const;
  void find_libraries(python_environment& e) const;

  const system_interface& os_;
  arena_vector<python_environment>& found_;
};

/// The first on PATH that is of no virtual environment, by its name where it is the first of all.
/// In "shims" pyenv has a name of every Python, also of those that it does not start.
arena_string environment_search::program_of_system(const arena_string& name,
                                                   arena_string& path) const {
  bool first = true;
  for (const arena_string& directory : directories_of_programs(os_)) {
    path = directory + "/" + name;
    if (directory.empty() || !exists(path)) continue;
    const bool is_program =
        base_name(directory) != "shims" && !exists(directory + "/../pyvenv.cfg");
    if (is_program) return first ? name : path;
    first = false;
  }
  return {};
}

/// Is it where "pip install --user" installs?
bool environment_search::is_of_this_user(const arena_string& prefix) const {
  arena_string home;
  return base_name(prefix) == ".local" &&
         (!os_.variable("HOME", home) || os_.real_path(home + "/.local") == os_.real_path(prefix));
}

// Debian's own Python installs to /usr/local, and has its packages in /usr/lib/python3.
void environment_search::find_interpreter(const arena_string& version,
                                          installer_search& search) const {
  python_environment& e = search.environment;
  if (!is_of_release(os_, e)) return;
  const bool of_debian = e.prefix == "/usr/local" && exists("/usr/bin/" + version);
  if (e.python.empty() && of_debian) e.python = "/usr/bin/" + version;
  const bool of_user = is_of_this_user(e.prefix);
  arena_string program;
  if (e.python.empty() && of_user) {
    e.python = program_of_system(version, program);
    if (!e.python.empty()) search.place = install_place::user;
  }
  const answer of_system = uses_system_packages(os_, e.prefix);
  if (of_system != answer::unknown) {
    search.has_pip = of_system == answer::yes || starts_pip(os_, e.site);
    return;
  }
  // A system's Python has pip beside its own packages, or in Debian's folder for all of them.
  search.has_pip = of_user || starts_pip(os_, e.site) || starts_with(e.prefix + "/", "/usr/");
  const arena_string own = directory_part(directory_part(os_.real_path(program))) + "/lib";
  const arena_string above = search.place == install_place::user ? own
                             : of_debian                         ? arena_string("/usr/lib")
                                         : directory_part(directory_part(e.site));
  e.managed = exists(directory_part(e.site) + "/EXTERNALLY-MANAGED");
  for (const arena_string& folder : names_in(os_, above, version.c_str())) {
    e.managed = e.managed || exists(above + "/" + folder + "/EXTERNALLY-MANAGED");
  }
}

bool environment_search::is_installed_by_uv(const python_environment& e) const {
  return any_of(e.wheels, [&](const installed_wheel& wheel) {
    return starts_with(text_of(os_, metadata_of(e, wheel) + "/INSTALLER"), "uv");
  });
}

void environment_search::find_libraries(python_environment& e) const {
  for (const arena_string& name : names_in(os_, e.site + "/nvidia", "cublas|cuda_nvrtc|cu1")) {
    // The DLLs of CUDA 13 lie one folder deeper.
    for (const char* const below : {"", "/x86_64"}) {
      const arena_string directory =
          e.site + "/nvidia/" + name + "/" + folder_of_wheel_libraries() + below;
      const char* const names = "libcublasLt.so.|libnvrtc.so.|cublasLt64_|nvrtc64_";
      if (!names_in(os_, directory, names).empty()) e.libraries.push_back(directory);
    }
  }
}

void environment_search::look_at(const arena_string& path) {
  const arena_string site = site_of(path);
  if (site.empty()) return;
  for (const python_environment& known : found_) {
    if (known.site == site) return;
  }
  python_environment e = environment_at(os_, site);
  const arena_string version = python_of_site(site);
  installer_search search{os_, e, install_place::environment, true, false};
  if (!version.empty()) find_interpreter(version, search);
  if (e.python.empty()) {
    search.place = install_place::folder;
    search.filled_by_uv = is_installed_by_uv(e);
    e.managed = false;
  }
  e.installer = find_installer(search);
  // Any folder may be called "nvidia".
  if (e.python.empty() && e.wheels.empty()) return;
  find_libraries(e);
  found_.push_back(e);
}

arena_vector<python_environment> python_environments_of(const system_interface& os,
                                                        const arena_vector<arena_string>& paths) {
  arena_vector<python_environment> found;
  environment_search search(os, found);
  for (const arena_string& path : paths) search.look_at(path);
  return found;
}

void observe_python_environments(const system_interface& os, observation& observed) {
  arena_vector<arena_string> paths;
  for (const cudnn_file& file : observed.files) {
    paths.append({file.path, file.real_path, file.near_miss.path});
  }
  for (const absent_file& file : observed.absent_files) paths.push_back(file.path);
  for (const dependency& d : observed.dependencies) paths.append({d.path, d.near_miss.path});
  for (const start_library& library : observed.start.libraries) {
    paths.push_back(library.path);
    for (const searched_place& place : library.looked_in) paths.push_back(place.directory + "/");
  }
  for (const cudnn_place& place : observed.start.elsewhere) paths.push_back(place.directory + "/");
  if (observed.unstamped != nullptr) {
    paths.append({observed.unstamped->requirement.record, observed.unstamped->asker});
  }
  observed.environments = python_environments_of(os, paths);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
