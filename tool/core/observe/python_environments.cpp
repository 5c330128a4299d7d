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
  bool has_pip(string& python) const;
  bool lacks_pip(const string& directory) const;
  bool keeps_pip(const string& prefix) const;
  bool has_old_pip(const string& site) const;
  string site_of_pip(const python_environment& e) const;
  void find_installer(python_environment& e) const;
  bool belongs_to(const string& prefix, const string& program) const;
  string program_of_system(const string& name, string& path) const;
  bool is_of_this_user(const string& prefix) const;
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

/// Is that the directory of a virtual environment's programs, with a Python that has no pip?
bool environment_search::lacks_pip(const string& directory) const {
  const string prefix = directory_part(directory);
  string settings;
  if (!os_.read_text(prefix + "/pyvenv.cfg", settings)) return false;
  return !keeps_pip(prefix) && settings.find("include-system-site-packages = true") == string::npos;
}

// Debian has it in lib/python3/dist-packages, others in lib/python3.X/site-packages.
bool environment_search::keeps_pip(const string& prefix) const {
  vector<string> versions;
  (void)os_.list(prefix + "/lib", "python3", versions);
  for (const string& version : versions) {
    if (version != "python3" && !starts_with(version, "python3.")) continue;
    for (const char* packages : {"/site-packages/pip", "/dist-packages/pip"}) {
      if (exists(prefix + "/lib/" + version + packages)) return true;
    }
  }
  return false;
}

// What "python3 -m pip" would find of a system's Python.  One that has none may come before it on
// PATH.
bool environment_search::has_pip(string& python) const {
  string path;
  bool found = !os_.variable("PATH", path);
  bool first = true;
  string prefix = "/usr";
  for (const string& directory : split_path_list(path, ":")) {
    if (found || directory.empty() || !exists(directory + "/python3")) continue;
    found = !lacks_pip(directory);
    if (found && !first) python = directory + "/python3";
    if (found && base_name(directory) != "shims") {
      prefix = directory_part(directory);
      // A link, as in ~/bin, starts the Python of where it leads.
      if (!keeps_pip(prefix)) {
        prefix = directory_part(directory_part(os_.real_path(directory + "/python3")));
      }
    }
    first = false;
  }
  return found && (has_program("pip3") || has_program("pip") || keeps_pip(prefix));
}

/// The first on PATH that is of no virtual environment, by its name where it is the first of all.
/// In "shims" pyenv has a name of every Python, also of those that it does not start.
string environment_search::program_of_system(const string& name, string& path) const {
  string directories;
  path = "/usr/bin/" + name;
  if (!os_.variable("PATH", directories)) return name;
  bool first = true;
  for (const string& directory : split_path_list(directories, ":")) {
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
bool environment_search::is_of_this_user(const string& prefix) const {
  string home;
  return base_name(prefix) == ".local" &&
         (!os_.variable("HOME", home) || os_.real_path(home + "/.local") == os_.real_path(prefix));
}

// A folder of metadata, which Debian names .egg-info.
bool environment_search::has_old_pip(const string& site) const {
  vector<string> names;
  (void)os_.list(site, "pip-", names);
  for (const string& name : names) {
    string number = name.substr(4, name.rfind('-') - 4);
    number = number.substr(0, number.rfind('.'));
    const version is = parse_version(number);
    if (is.known() && is < version{20, 3, 0}) return true;
  }
  return false;
}

/// Packages that it installs come there: what is only a link to another one's does not, nor what
/// uv has installed in ~/.local/share.
bool environment_search::belongs_to(const string& prefix, const string& program) const {
  if (exists(prefix + "/pyvenv.cfg")) return exists(program);
  const string real = os_.real_path(program);
  if (base_name(prefix) == ".local") return directory_part(real) == os_.real_path(prefix) + "/bin";
  return starts_with(real, os_.real_path(prefix) + "/");
}

/// Is "python3.12" of the release that pyvenv.cfg names?  What gives an environment another Python,
/// as `uv venv --allow-existing`, leaves the packages of the one before, to which no pip gets.
static bool is_of_release(const string& settings, const string& folder) {
  string minor = folder.substr(6);  // "3.12", or "3.13t"
  if (!minor.empty() && minor.back() == 't') minor = minor.substr(0, minor.size() - 1);
  for (const string& line : split_path_list(settings, "\n")) {
    const std::size_t digit = line.find_first_of("0123456789");
    if (!starts_with(line, "version") || digit == string::npos) continue;
    return starts_with(line.substr(digit) + ".", minor + ".");
  }
  return true;
}

// Debian's own Python installs to /usr/local, and has its packages in /usr/lib/python3.
void environment_search::find_interpreter(const string& version, python_environment& e) const {
  string settings;
  const bool is_virtual = os_.read_text(e.prefix + "/pyvenv.cfg", settings);
  if (!is_of_release(settings, version)) return;
  for (const string& name : {string("python"), string("python3"), version}) {
    const string program = e.prefix + "/bin/" + name;
    if (e.python.empty() && belongs_to(e.prefix, program)) e.python = program;
  }
  const bool of_debian =
      CUDNN_CHECKED_JUDGES_INSTALLS && e.prefix == "/usr/local" && exists("/usr/bin/" + version);
  if (e.python.empty() && of_debian) e.python = "/usr/bin/" + version;
  const bool of_user = CUDNN_CHECKED_JUDGES_INSTALLS && is_of_this_user(e.prefix);
  string program;
  if (e.python.empty() && of_user) {
    e.python = program_of_system(version, program);
    if (!e.python.empty()) e.installer = wheel_installer::user;
  }
  if (is_virtual) {
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
  const string own = directory_part(directory_part(os_.real_path(program))) + "/lib";
  const string above = e.installer == wheel_installer::user ? own
                       : of_debian                          ? string("/usr/lib")
                                   : directory_part(directory_part(e.site));
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
    if (CUDNN_CHECKED_JUDGES_INSTALLS && e.installer == wheel_installer::target) {
      string whose;
      (void)os_.read_text(e.site + "/" + info + "/INSTALLER", whose);
      if (starts_with(whose, "uv")) e.installer = wheel_installer::uv_target;
    }
    e.wheels.push_back(wheel);
  }
}

/// Of an environment that has none of its own it is Debian's.
string environment_search::site_of_pip(const python_environment& e) const {
  const bool own = e.installer == wheel_installer::pip && lists(e.site, "pip");
  return own ? e.site : "/usr/lib/python3/dist-packages";
}

void environment_search::find_installer(python_environment& e) const {
  for (const char* name : {"PYTHONPATH", "PYTHONHOME"}) {
    string value;
    e.has_variables = e.has_variables || (os_.variable(name, value) && !value.empty());
  }
  if (!CUDNN_CHECKED_JUDGES_INSTALLS) {
    if (e.installer == wheel_installer::pip && has_old_pip(site_of_pip(e))) {
      e.installer = wheel_installer::none;
    }
    return;
  }
  const bool target = e.installer == wheel_installer::target;
  const bool uv = has_program("uv");
  string python;
  if (e.installer == wheel_installer::user && !has_pip(python)) e.installer = wheel_installer::none;
  const bool by_uv =
      e.installer == wheel_installer::uv || e.installer == wheel_installer::uv_target;
  if (target && !has_pip(e.python)) {
    e.installer = uv ? wheel_installer::uv_target : wheel_installer::none;
  } else if (by_uv && !uv) {
    e.installer = wheel_installer::none;
  }
  const bool own = e.installer == wheel_installer::pip;
  if (by_uv || e.installer == wheel_installer::none) return;
  e.old_pip = has_old_pip(site_of_pip(e));
  if (!e.old_pip || !uv) return;
  if (target) e.installer = wheel_installer::uv_target;
  if (own && starts_with(e.python, e.prefix + "/")) e.installer = wheel_installer::uv;
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
  find_installer(e);
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
