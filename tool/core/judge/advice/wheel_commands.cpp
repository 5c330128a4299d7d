// SPDX-License-Identifier: BSD-3-Clause
#include "wheel_commands.h"

#include "../../model/format.h"
#include "../../model/paths.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

static bool is_ordered(const wheel_order& order, const string& name) {
  for (const string& requirement : order.requirements) {
    if (requirement.substr(0, requirement.find_first_of("=<>")) == name) return true;
  }
  for (const string& conflicting : order.conflicting) {
    if (conflicting == name) return true;
  }
  return false;
}

// pip replaces the whole folder "nvidia" of a target, so all that is in it is named.  A Python that
// is known to have pip comes before the first on PATH.
static string install_into_folder(const python_environment& e, const wheel_order& order) {
  const bool uv = e.installer == wheel_installer::uv_target;
  const string python = e.python.empty() ? string("python3") : quoted(e.python);
  string text = uv ? string("uv pip install") : python + " -m pip install";
  if (!uv && !e.wheels.empty()) text += " --upgrade";
  text += " --target " + quoted(e.site);
  if (order.again) text += uv ? " --reinstall --no-deps" : " --no-deps";
  for (const installed_wheel& wheel : e.wheels) {
    if (uv || is_ordered(order, wheel.name)) continue;
    text += ' ' + quoted(wheel.name + "==" + wheel.number);
  }
  for (const string& requirement : order.requirements) text += ' ' + quoted(requirement);
  return text;
}

string install_wheels(const python_environment& e, const wheel_order& order) {
  const bool uv = e.installer == wheel_installer::uv;
  if (e.installer >= wheel_installer::target) return install_into_folder(e, order);
  const string pip = uv ? string("uv pip") : quoted(e.python) + " -m pip";
  const string where = uv ? " --python " + quoted(e.prefix) : string();
  const char* managed = e.managed ? " --break-system-packages" : "";
  string text;
  if (!order.conflicting.empty()) {
    text = pip + " uninstall" + where + (uv ? "" : " -y") + managed;
    for (const string& name : order.conflicting) text += ' ' + quoted(name);
    text += " && ";
  }
  text += pip + " install" + where + managed;
  if (e.installer == wheel_installer::user) text += " --user";
  if (order.again) text += uv ? " --reinstall --no-deps" : " --force-reinstall --no-deps";
  for (const string& requirement : order.requirements) text += ' ' + quoted(requirement);
  return text;
}

const installed_wheel* find_wheel(const python_environment& e, const string& name) {
  for (const installed_wheel& wheel : e.wheels) {
    if (wheel.name == name) return &wheel;
  }
  return nullptr;
}

string requirement_of_cuda(const python_environment& e, const char* wheel, int cuda_major) {
  const string name = wheel_for_cuda(wheel, cuda_major);
  const string major = to_string(cuda_major);
  const installed_wheel* const runtime = find_wheel(e, wheel_for_cuda(cudart_wheel, cuda_major));
  const bool own_numbers = string(wheel) == cublas_wheel;
  if (runtime != nullptr && !own_numbers && starts_with(runtime->number, major + ".")) {
    return format("%s==%s.*", name, as_cuda(parse_version(runtime->number)));
  }
  // Before CUDA 13 the name has the major.
  return cuda_major >= 13 ? name + "==" + major + ".*" : name;
}

string prepend_environment(const python_environment& e, const string& directory,
                           const string& value) {
  string all = directory;
  for (const string& other : e.libraries) {
    if (other != directory) all += ":" + other;
  }
  return prepend_library_path(all, value);
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
