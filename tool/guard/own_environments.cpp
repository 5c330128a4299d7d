// SPDX-License-Identifier: BSD-3-Clause
//
// The Python environments that a program's files lie in.  Only a virtual environment with a pip of
// its own has commands here; what others need is left to the command line, which knows all of them
// (core/observe/python_environments.cpp).
#include "../core/judge/advice/wheel_commands.h"
#include "../core/observe/observe.h"
#include "../core/observe/site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace {

/// pip of a virtual environment.
class own_pip final : public package_installer {
 public:
  fix_line command(const repair& step) const override {
    return cudnn_checked::command(
        pip_commands(pip_of(step.where), " -y", "", pip_again, step.order), step);
  }
};

}  // namespace

static constexpr own_pip installer_of_guard;

static bool has_own_pip(const system_interface& os, const python_environment& e) {
  const answer of_system = uses_system_packages(os, e.prefix);
  const bool own = starts_pip(os, e.site);
  return !e.python.empty() && (own ? of_system != answer::unknown : of_system == answer::yes) &&
         !has_old_pip(os, own ? e.site : "/usr/lib/python3/dist-packages");
}

static void add_environment(const system_interface& os, arena_string path,
                            arena_vector<python_environment>& found) {
  const arena_string site = site_of(path);
  if (site.empty()) return;
  for (const python_environment& known : found) {
    if (known.site == site) return;
  }
  python_environment e = environment_at(os, site);
  if (has_own_pip(os, e)) e.installer = &installer_of_guard;
  // Any folder may be called "nvidia".
  if (!e.python.empty() || !e.wheels.empty()) found.push_back(e);
}

void observe_python_environments(const system_interface& os, observation& observed) {
  arena_vector<python_environment>& found = observed.environments;
  found.clear();
  for (const cudnn_file& file : observed.files) {
    for (const arena_string* path : {&file.path, &file.real_path, &file.near_miss.path}) {
      add_environment(os, *path, found);
    }
  }
  for (const absent_file& file : observed.absent_files) add_environment(os, file.path, found);
  for (const dependency& d : observed.dependencies) {
    for (const arena_string* path : {&d.path, &d.near_miss.path}) add_environment(os, *path, found);
  }
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
