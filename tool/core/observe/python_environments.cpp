// SPDX-License-Identifier: BSD-3-Clause
//
// The Python environments that the files lie in.  The guard has commands for virtual environments
// with a pip of their own only, and leaves what others need to the command line.  A folder of
// metadata is named <name>-<version>.dist-info (Python Packaging User Guide, "Recording installed
// projects"), with underscores for what separates the words of a name.
#include "../model/paths.h"
#include "../model/python_environment.h"
#include "../model/unstamped_program.h"
#include "observe.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

class environment_search {
 public:
  environment_search(const system_interface& os, vector<python_environment>& found)
      : os_(os), found_(found) {}

  /// The environment of that file or directory, where it lies in one that is not known yet.
  void look_at(const string& path);

 private:
  bool exists(const string& path) const { return !os_.real_path(path).empty(); }
  bool has_program(const char* name) const;
  bool has_pip() const;
  bool lists(const string& directory, const char* name) const;
  bool lists_some(const string& directory, const char* prefix) const;
  void find_interpreter(const string& version, python_environment& e) const;
  void read_wheels(python_environment& e) const;
  void find_libraries(python_environment& e) const;

  const system_interface& os_;
  vector<python_environment>& found_;
};

bool environment_search::lists(const string& directory, const char* name) const {
  vector<string> names;
  (void)os_.list(directory, name, names);
  for (const string& one : names) {
    if (one == name) return true;
  }
  return false;
}

bool environment_search::lists_some(const string& directory, const char* prefix) const {
  vector<string> names;
  (void)os_.list(directory, prefix, names);
  return !names.empty();
}

bool environment_search::has_program(const char* name) const {
  if (!CUDNN_CHECKED_JUDGES_INSTALLS) return true;
  string path;
  if (!os_.variable("PATH", path)) return true;
  for (const string& directory : split_path_list(path, ":")) {
    if (!directory.empty() && exists(directory + "/" + name)) return true;
  }
  return false;
}

// What "python3 -m pip" would find of a system's Python: Debian has it in dist-packages, others
// below lib/python3.X.
bool environment_search::has_pip() const {
  if (!has_program("python3")) return false;
  if (has_program("pip3") || has_program("pip")) return true;
  return exists("/usr/lib/python3/dist-packages/pip");
}

// Debian's own Python installs to /usr/local, and has its packages in /usr/lib/python3.
void environment_search::find_interpreter(const string& version, python_environment& e) const {
  for (const string& name : {string("python"), string("python3"), version}) {
    if (e.python.empty() && exists(e.prefix + "/bin/" + name)) e.python = e.prefix + "/bin/" + name;
  }
  const bool of_debian =
      CUDNN_CHECKED_JUDGES_INSTALLS && e.prefix == "/usr/local" && exists("/usr/bin/" + version);
  if (e.python.empty() && of_debian) e.python = "/usr/bin/" + version;
  const bool of_user = CUDNN_CHECKED_JUDGES_INSTALLS && base_name(e.prefix) == ".local";
  if (e.python.empty() && of_user) {
    e.installer = wheel_installer::user;
    e.python = version;
  }
  string settings;
  if (os_.read_text(e.prefix + "/pyvenv.cfg", settings)) {
    const bool of_system = settings.find("include-system-site-packages = true") != string::npos;
    if (!e.python.empty() && !of_system && !lists(e.site, "pip")) e.installer = wheel_installer::uv;
    return;
  }
  if (!CUDNN_CHECKED_JUDGES_INSTALLS) {
    e.installer = wheel_installer::none;
    return;
  }
  // A system's Python has pip beside its own packages, or in Debian's folder for all of them.
  const bool has_own = lists(e.site, "pip") || starts_with(e.prefix + "/", "/usr/");
  if (!e.python.empty() && !of_user && !has_own) e.installer = wheel_installer::uv;
  vector<string> versions;
  const string above =
      of_debian || of_user ? string("/usr/lib") : directory_part(directory_part(e.site));
  (void)os_.list(above, version.c_str(), versions);
  for (const string& folder : versions) {
    e.managed = e.managed || exists(above + "/" + folder + "/EXTERNALLY-MANAGED");
  }
}

void environment_search::read_wheels(python_environment& e) const {
  vector<string> names;
  (void)os_.list(e.site, "nvidia_", names);
  for (const string& info : names) {
    const std::size_t dash = info.find('-');
    const std::size_t end = info.rfind(".dist-info");
    if (end == string::npos || dash >= end) continue;
    installed_wheel wheel;
    for (std::size_t i = 0; i < dash; ++i) wheel.name += info[i] == '_' ? '-' : info[i];
    wheel.number = info.substr(dash + 1, end - dash - 1);
    if (e.installer == wheel_installer::target) {
      string whose;
      (void)os_.read_text(e.site + "/" + info + "/INSTALLER", whose);
      if (starts_with(whose, "uv")) e.installer = wheel_installer::uv_target;
    }
    e.wheels.push_back(wheel);
  }
}

void environment_search::find_libraries(python_environment& e) const {
  vector<string> names;
  (void)os_.list(e.site + "/nvidia", "cublas|cuda_nvrtc|cu1", names);
  for (const string& name : names) {
    const string directory = e.site + "/nvidia/" + name + "/lib";
    if (lists_some(directory, "libcublasLt.so.|libnvrtc.so.")) e.libraries.push_back(directory);
  }
}

// <prefix>/lib/python3.12/site-packages, lib64 and dist-packages likewise.
void environment_search::look_at(const string& path) {
  python_environment e;
  e.site = site_of(path);
  if (e.site.empty()) return;
  for (const python_environment& known : found_) {
    if (known.site == e.site) return;
  }
  const string above = directory_part(e.site);
  const string lib = directory_part(above);
  const string version = base_name(above);
  e.prefix = directory_part(lib);
  if (starts_with(version, "python3") && starts_with(base_name(lib), "lib")) {
    find_interpreter(version, e);
  }
  if (e.python.empty()) {
    e.installer = wheel_installer::target;
    e.managed = false;
  }
  read_wheels(e);
  if (e.installer == wheel_installer::user && !has_pip()) e.installer = wheel_installer::none;
  const bool by_uv =
      e.installer == wheel_installer::uv || e.installer == wheel_installer::uv_target;
  if (e.installer == wheel_installer::target && !has_pip()) {
    e.installer = has_program("uv") ? wheel_installer::uv_target : wheel_installer::none;
  } else if (by_uv && !has_program("uv")) {
    e.installer = wheel_installer::none;
  }
  // Any folder may be called "nvidia".
  if (e.python.empty() && e.wheels.empty()) return;
  find_libraries(e);
  found_.push_back(e);
}

void observe_python_environments(const system_interface& os, observation& observed) {
  observed.environments.clear();
  environment_search search(os, observed.environments);
  for (const cudnn_file& file : observed.files) {
    search.look_at(file.path);
    search.look_at(file.real_path);
    search.look_at(file.near_miss.path);
  }
  for (const absent_file& file : observed.absent_files) search.look_at(file.path);
  for (const dependency& d : observed.dependencies) {
    search.look_at(d.path);
    search.look_at(d.near_miss.path);
  }
  for (const start_library& library : observed.start.libraries) {
    search.look_at(library.path);
    for (const searched_place& place : library.looked_in) search.look_at(place.directory + "/");
  }
  for (const cudnn_place& place : observed.start.elsewhere) search.look_at(place.directory + "/");
  if (observed.unstamped == nullptr) return;
  search.look_at(observed.unstamped->requirement.record);
  search.look_at(observed.unstamped->asker);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
