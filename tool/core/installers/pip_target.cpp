// SPDX-License-Identifier: BSD-3-Clause
//
// pip install --target: a folder that no Python has as its own, filled from outside.
#include "installers.h"

#include "../judge/advice/wheel_commands.h"
#include "../model/format.h"
#include "../model/platform_words.h"
#include "../observe/pip_of_system.h"
#include "../observe/site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

// pip replaces the whole folder "nvidia" of a target, so all that is in it is named, and leaves the
// metadata of what was in it.  What does not come again is removed when all has been fetched, what
// may come again before.  A Python that is known to have pip comes before the first on PATH.
static arena_string folder_command(const python_environment& e, const wheel_order& order) {
  arena_string before;
  arena_string after;
  for (const installed_wheel& wheel : e.wheels) {
    if (!is_stale(order, wheel)) continue;
    arena_string& removed = brings_again(order, wheel) == answer::no ? after : before;
    removed += " " + quoted(metadata_of(e, wheel));
  }
  arena_string text =
      before.empty() ? before : format("%s%s && ", command_that_removes_folders(), before);
  text += installers::update_of_pip(e, "") + pip_of(e) + " install";
  if (!e.wheels.empty()) text += " --upgrade";
  const arena_string platform = other_platform_for_pip();
  text += " --target " + quoted(e.site) + platform;
  if (order.again && platform.empty()) text += " --no-deps";
  for (const installed_wheel& wheel : e.wheels) {
    if (!is_ordered(order, wheel.name)) text += ' ' + quoted(wheel.name + "==" + wheel.number);
  }
  for (const arena_string& requirement : order.requirements) text += ' ' + quoted(requirement);
  return after.empty() ? text : format("%s && %s%s", text, command_that_removes_folders(), after);
}

/// A package that is not ordered, and of which two releases are recorded: which of them is there is
/// not known, and pip installs no two.  Empty: there is none.
static arena_string recorded_twice(const python_environment& e, const wheel_order& order) {
  for (const installed_wheel& wheel : e.wheels) {
    const bool first = &wheel == find_wheel(e, wheel.name);
    if (!first && !is_ordered(order, wheel.name)) return wheel.name;
  }
  return {};
}

namespace {

class pip_target_installer final : public package_installer {
 public:
  // A Python that is known to have pip comes before the first on PATH.
  bool is_here(const installer_search& search) const override {
    python_environment& e = search.environment;
    arena_string python;
    if (search.place != install_place::folder || search.filled_by_uv ||
        !find_pip_of_system(search.os, python)) {
      return false;
    }
    e.old_pip = has_old_pip(search.os, site_of_system);
    if (e.old_pip && has_program(search.os, "uv")) return false;
    e.python = python;
    return true;
  }

  fix_line command(const repair& step) const override {
    const arena_string twice = recorded_twice(step.where, step.order);
    if (twice.empty()) return cudnn_checked::command(folder_command(step.where, step.order), step);
    return advice(
        format("install one release of %s in %s, of which two are recorded, and with it "
               "%s",
               twice, step.where.site, joined(step.order.requirements, " and ")));
  }

  installer_effect effect() const override {
    installer_effect known;
    known.place = install_place::folder;
    known.replaces_folder = true;
    return known;
  }
};

}  // namespace

const package_installer& installers::pip_target() {
  static constexpr pip_target_installer object;
  return object;
}

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
