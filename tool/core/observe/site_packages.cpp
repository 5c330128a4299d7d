// SPDX-License-Identifier: BSD-3-Clause
#include "site_packages.h"

#include "../model/paths.h"
#include "../model/version.h"
#include "../system/python_layout.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

bool starts_pip(const system_interface& os, const arena_string& site) {
  return exists(os, site + "/pip/__main__.py");
}

answer uses_system_packages(const system_interface& os, const arena_string& prefix) {
  arena_string settings;
  if (!os.read_text(prefix + "/pyvenv.cfg", settings)) return answer::unknown;
  const bool uses = settings.find("include-system-site-packages = true") != arena_string::npos;
  return uses ? answer::yes : answer::no;
}

/// Whether the packages that this program installs go into the environment.  That is not so if it
/// is only a link to another environment's program, or if uv has installed it in ~/.local/share.
static bool belongs_to(const system_interface& os, const arena_string& prefix,
                       const arena_string& program) {
  const arena_string real = os.real_path(program);
  if (exists(os, prefix + "/pyvenv.cfg")) return !real.empty();
  const arena_string real_prefix = os.real_path(prefix) + "/";
  if (base_name(prefix) == ".local") return directory_part(real) == real_prefix + "bin";
  return starts_with(real, real_prefix);
}

bool is_of_release(const system_interface& os, const python_environment& e) {
  arena_string settings;
  (void)os.read_text(e.prefix + "/pyvenv.cfg", settings);
  arena_string minor = python_of_site(e.site).substr(6);  // "3.12", or "3.13t"
  if (minor.empty()) return true;
  if (minor.back() == 't') minor.pop_back();
  for (const arena_string& line : split_path_list(settings, "\n")) {
    const std::size_t digit = line.find_first_of("0123456789");
    if (!starts_with(line, "version") || digit == arena_string::npos) continue;
    return starts_with(line.substr(digit) + ".", minor + ".");
  }
  return true;
}

// A folder of metadata, which Debian names .egg-info.
bool has_old_pip(const system_interface& os, const arena_string& site) {
  for (const arena_string& name : names_in(os, site, "pip-")) {
    arena_string number = name.substr(4, name.rfind('-') - 4);
    number = number.substr(0, number.rfind('.'));
    const version is = parse_version(number);
    if (is.known() && is < version{20, 3, 0}) return true;
  }
  return false;
}

static void read_wheels(const system_interface& os, python_environment& e) {
  for (const arena_string& info : names_in(os, e.site, of_nvidia)) {
    const installed_wheel wheel = wheel_of_info(info);
    if (starts_with(wheel.name, "nvidia-")) e.wheels.push_back(wheel);
  }
}

python_environment environment_at(const system_interface& os, const arena_string& site) {
  python_environment e;
  e.site = site;
  e.prefix = prefix_of_site(site);
  const arena_string version = python_of_site(site);
  const bool may_have = !version.empty() && is_of_release(os, e);
  for (const arena_string& program : interpreters_in(e.prefix, version)) {
    if (e.python.empty() && may_have && belongs_to(os, e.prefix, program)) e.python = program;
  }
  for (const char* name : {"PYTHONPATH", "PYTHONHOME"}) {
    e.has_variables = e.has_variables || !value_of(os, name).empty();
  }
  read_wheels(os, e);
  return e;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
