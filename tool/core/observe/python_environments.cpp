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
  bool has_pip(arena_string& python) const;
  bool lacks_pip(const arena_string& directory) const;
  bool keeps_pip(const arena_string& prefix) const;
  bool brings_pip(const python_environment& e) const;
  void find_installer(python_environment& e) const;
  arena_string program_of_system(const arena_string& name, arena_string& path) const;
  bool is_of_this_user(const arena_string& prefix) const;
  void find_interpreter(const arena_string& version, python_environment& e) const;
  bool is_installed_by_uv(const python_environment& e) const;
  void find_libraries(python_environment& e) const;

  const system_interface& os_;
  arena_vector<python_environment>& found_;
};

/// The directories of PATH; where it is not known, as in the tree of a container, those that a
/// container runtime sets (moby, DefaultPathEnv).
static arena_vector<arena_string> directories_of_programs(const system_interface& os) {
  arena_string path;
  const bool known = os.variable("PATH", path);
  return directories_of_path(known ? path : arena_string("/usr/local/bin:/usr/bin:/bin"));
}

bool has_program(const system_interface& os, const char* name) {
  for (const arena_string& directory : directories_of_programs(os)) {
    for (const arena_string& file : files_of_command(name)) {
      if (!directory.empty() && exists(os, directory + "/" + file)) return true;
    }
  }
  return false;
}

arena_string home_of_environment(const system_interface& os, const arena_string& prefix) {
  const arena_string settings = text_of(os, prefix + "/pyvenv.cfg");
  for (const arena_string& line : split_path_list(settings, "\n")) {
    const std::size_t equal = line.find('=');
    if (!starts_with(line, "home") || equal == arena_string::npos) continue;
    const arena_string value = line.substr(equal + 1);
    const std::size_t begin = value.find_first_not_of(" \t");
    if (begin == arena_string::npos) continue;
    return plain_slashes(value.substr(begin, value.find_first_of("\r") - begin));
  }
  return {};
}

/// Is that the directory of a virtual environment's programs, with a Python that has no pip?
bool environment_search::lacks_pip(const arena_string& directory) const {
  const arena_string prefix = prefix_of_programs(directory);
  return uses_system_packages(os_, prefix) == answer::no && !keeps_pip(prefix);
}

// Debian has it in lib/python3/dist-packages, others in lib/python3.X/site-packages.
bool environment_search::keeps_pip(const arena_string& prefix) const {
  for (const char* packages : {"site-packages", "dist-packages"}) {
    for (const arena_string& site : sites_below(os_, prefix, packages)) {
      if (starts_pip(os_, site)) return true;
    }
  }
  return false;
}

// Python documentation, "ensurepip": part of the standard library, which Debian has in a package of
// its own.  It leaves a pip that is there, or half of one.
bool environment_search::brings_pip(const python_environment& e) const {
  if (exists(e.site + "/pip") || !names_in(os_, e.site, "pip-").empty()) return false;
  const arena_string home = home_of_environment(os_, e.prefix);
  if (home.empty()) return false;
  for (const arena_string& library :
       standard_libraries(prefix_of_programs(home), python_of_site(e.site))) {
    if (exists(library + "/ensurepip/__main__.py")) return true;
  }
  return false;
}

// What "python3 -m pip" would find of a system's Python.  One that has none may come before it on
// PATH.  A command of another name, as Windows' "py", may start another one.
bool environment_search::has_pip(arena_string& python) const {
  bool found = false;
  bool first = true;
  const arena_string command = command_of_python();
  const bool is_command = command == python_command();
  arena_string prefix = "/usr";
  for (const arena_string& directory : directories_of_programs(os_)) {
    const arena_string program = directory + "/" + files_of_command(command).front();
    if (found || directory.empty() || !exists(program)) continue;
    found = !lacks_pip(directory);
    if (found && (!first || !is_command)) python = program;
    if (found && base_name(directory) != "shims") {
      prefix = prefix_of_programs(directory);
      // A link, as in ~/bin, starts the Python of where it leads.
      if (!keeps_pip(prefix)) prefix = prefix_of_programs(directory_part(os_.real_path(program)));
    }
    first = false;
  }
  return found && (has_program(os_, "pip3") || has_program(os_, "pip") || keeps_pip(prefix));
}

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
                                          python_environment& e) const {
  if (!is_of_release(os_, e)) return;
  const bool of_debian = e.prefix == "/usr/local" && exists("/usr/bin/" + version);
  if (e.python.empty() && of_debian) e.python = "/usr/bin/" + version;
  const bool of_user = is_of_this_user(e.prefix);
  arena_string program;
  if (e.python.empty() && of_user) {
    e.python = program_of_system(version, program);
    if (!e.python.empty()) e.installer = wheel_installer::user;
  }
  const answer of_system = uses_system_packages(os_, e.prefix);
  if (of_system != answer::unknown) {
    if (!e.python.empty() && of_system == answer::no && !starts_pip(os_, e.site)) {
      e.installer = wheel_installer::uv;
    }
    return;
  }
  // A system's Python has pip beside its own packages, or in Debian's folder for all of them.
  const bool has_own = starts_pip(os_, e.site) || starts_with(e.prefix + "/", "/usr/");
  if (!e.python.empty() && !of_user && !has_own) e.installer = wheel_installer::uv;
  const arena_string own = directory_part(directory_part(os_.real_path(program))) + "/lib";
  const arena_string above = e.installer == wheel_installer::user ? own
                             : of_debian                          ? arena_string("/usr/lib")
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

void environment_search::find_installer(python_environment& e) const {
  const bool target = e.installer == wheel_installer::target;
  const bool uv = has_program(os_, "uv");
  arena_string python;
  if (e.installer == wheel_installer::user && !has_pip(python)) e.installer = wheel_installer::none;
  const bool by_uv = is_uv(e);
  if (target && !has_pip(e.python)) {
    e.installer = uv ? wheel_installer::uv_target : wheel_installer::none;
  } else if (by_uv && !uv) {
    e.brings_pip = !target && brings_pip(e);
    e.installer = e.brings_pip ? wheel_installer::pip : wheel_installer::none;
  }
  const bool own = e.installer == wheel_installer::pip;
  if (by_uv || e.installer == wheel_installer::none) return;
  e.old_pip =
      has_old_pip(os_, own && starts_pip(os_, e.site) ? e.site : "/usr/lib/python3/dist-packages");
  if (!e.old_pip || !uv) return;
  if (target) e.installer = wheel_installer::uv_target;
  if (own && starts_with(e.python, e.prefix + "/")) e.installer = wheel_installer::uv;
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
  if (!version.empty()) find_interpreter(version, e);
  if (e.python.empty()) {
    e.installer = is_installed_by_uv(e) ? wheel_installer::uv_target : wheel_installer::target;
    e.managed = false;
  }
  find_installer(e);
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
