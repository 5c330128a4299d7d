// SPDX-License-Identifier: BSD-3-Clause
#include "installers.h"

#include "../judge/advice/wheel_commands.h"
#include "../model/format.h"
#include "../model/observation.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

using installer_row = const package_installer& (*)();

static constexpr installer_row installer_rows[] = {
#define INSTALLER(name) installers::name,
#include "installers.def"
#undef INSTALLER
};

const package_installer* find_installer(const installer_search& search) {
  for (const installer_row row : installer_rows) {
    if (row().is_here(search)) return &row();
  }
  return nullptr;
}

const package_installer* installer_of(const package_record& package) {
  for (const installer_row row : installer_rows) {
    if (row().has_recorded(package)) return &row();
  }
  return nullptr;
}

namespace installers {

arena_string update_of_pip(const python_environment& e, const char* option) {
  return e.old_pip ? format("%s install%s -U pip && ", pip_of(e), option) : arena_string();
}

fix_line command_of_pip(const repair& step, const char* option) {
  const python_environment& e = step.where;
  const char* const managed = e.managed ? " --break-system-packages" : "";
  const arena_string commands =
      pip_commands(pip_of(e), format(" -y%s", managed), format("%s%s", managed, option),
                   step.order.unrecorded ? pip_over : pip_again, step.order);
  return command(update_of_pip(e, option) + commands, step);
}

fix_line command_of_uv(const repair& step, const arena_string& place, const char* removal) {
  const arena_string options = place + (step.where.managed ? " --break-system-packages" : "");
  return command(pip_commands("uv pip", removal + options, options,
                              " --no-cache --reinstall --no-deps", step.order),
                 step);
}

installer_effect effect_of_uv() {
  installer_effect known;
  known.runs_in_python = false;
  known.reads_settings_of_uv = true;
  known.writes_over = true;
  known.recorded_as = "uv";
  return known;
}

}  // namespace installers

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
