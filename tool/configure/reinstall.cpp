// SPDX-License-Identifier: BSD-3-Clause
#include "commands.h"

#include <algorithm>

#include "../core/judge/advice/advice.h"
#include "../core/model/format.h"
#include "../core/model/paths.h"
#include "../core/observe/package_records.h"
#include "environment.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {
namespace configure {

// The one wheel of cuDNN whose folder that is.
static fix_lines wheel_again(const request& asked, const system_interface& os,
                             const arena_string& site, const arena_string& stem) {
  const python_environment e = environment_at(asked, os, site);
  const installed_wheel* only = nullptr;
  for (const installed_wheel& wheel : e.wheels) {
    const arena_string name = wheel.name;
    if (!is_cudnn_wheel(name) || name.substr(0, name.rfind("-cu")) != stem) continue;
    if (only != nullptr) return {};
    only = &wheel;
  }
  if (only == nullptr) return {};
  package_record package;
  package.name = only->name;
  package.number = only->number;
  return typed(reinstall(package, &e));
}

// All packages of cuDNN that conda has recorded: which of them has a header is not known.
static fix_lines conda_again(const system_interface& os, const arena_string& prefix) {
  const arena_string records = prefix + "/conda-meta";
  package_record last;
  repair step;
  for (const arena_string& name : sorted_names_in(os, records, "cudnn-|libcudnn")) {
    const package_record package = package_of_conda(name);
    if (package.name.empty()) continue;
    step.packages.push_back(package.name + "=" + package.number);
    last = package;
    last.record = step.name = join_path(records, name);
  }
  const package_installer* const by = installer_of(last);
  if (step.packages.empty() || by == nullptr) return {};
  return typed(by->command(step).text);
}

static bool lists(const arena_string& text, const arena_string& line) {
  return ("\n" + text).find("\n" + line + "\n") != arena_string::npos;
}

// "libcudnn9-dev-cuda-13" and "libcudnn9-headers-cuda-13" have the headers of libcudnn9-cuda-13.
static arena_string package_of_part(const arena_string& package, const arena_string& part) {
  const std::size_t dev = package.find("-dev");
  const std::size_t headers = package.find("-headers");
  const std::size_t at = dev != arena_string::npos ? dev : headers;
  if (part == "headers" && at == arena_string::npos) {
    const std::size_t dash = std::min(package.find('-'), package.size());
    return package.substr(0, dash) + "-dev" + package.substr(dash);
  }
  if (part != "libraries" || at == arena_string::npos) return package;
  return package.substr(0, at) + package.substr(at + (at == dev ? 4 : 8));
}

// dpkg has a list of the files of each package.  Debian's plain names are links.
static fix_lines debian_again(const system_interface& os, const arena_string& file,
                              const arena_string& part) {
  arena_string database = value_of(os, "DPKG_ADMINDIR");
  if (database.empty()) database = "/var/lib/dpkg";
  const arena_string real = os.real_path(file);
  package_record package;
  for (const arena_string& name : names_in(os, database + "/info", "libcudnn|cudnn")) {
    const arena_string text = text_of(os, database + "/info/" + name);
    const bool has_it = lists(text, file) || (!real.empty() && lists(text, real));
    if (has_it && ends_with(name, ".list")) package.name = name_of_dpkg_list(name);
  }
  if (package.name.empty()) return {};
  package.manager = package_manager::dpkg;
  package.installer = installer_of(package);
  package.number = number_of_dpkg(os, database, package.name);
  const arena_string wanted = package_of_part(package.name, part);
  const arena_string which = wanted + (package.number.empty() ? "" : "=") + package.number;
  if (wanted != package.name) return typed(install_debian(quoted(which), {}).text);
  if (!package.number.empty()) return typed(reinstall(package));
  repair step;
  step.packages.push_back(which);
  return typed(package.installer->command(step).text);
}

fix_lines reinstall_package_of(const request& asked, const system_interface& os,
                               const arena_string& file, const arena_string& part) {
  for (const char* folder : {"cudnn_jit", "cudnn"}) {
    const arena_string place = arena_string("/nvidia/") + folder + "/";
    const std::size_t at = (file + "/").find(place);
    if (at == arena_string::npos) continue;
    const bool jit = arena_string(folder) == "cudnn_jit";
    const arena_string row = jit ? cudnn_jit_wheel : cudnn_wheel;
    return wheel_again(asked, os, file.substr(0, at), row.substr(0, row.find("-cu%")));
  }
  const arena_string prefix = directory_part(directory_part(file));
  if (exists(os, prefix + "/conda-meta")) return conda_again(os, prefix);
  return debian_again(os, file, part);
}

fix_lines again_or_new(const request& asked, const system_interface& os, const arena_string& file) {
  const fix_lines fix = reinstall_package_of(asked, os, file, "");
  return fix.empty() ? install_cudnn_of_request(asked, os) : fix;
}

}  // namespace configure
}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
