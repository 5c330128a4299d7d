// SPDX-License-Identifier: BSD-3-Clause
//
// Every installer, and what several of them share.
#pragma once

#include "../model/package_installer.h"
#include "../model/repair.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

namespace installers {

#define INSTALLER(name) const package_installer& name();
#include "installers.def"
#undef INSTALLER

/// "PIP install -U pip && " where the pip that the command runs is too old; empty elsewhere.
arena_string update_of_pip(const python_environment& environment, const char* option);

/// The command of a step for pip of the environment; `option` is for installing alone.
fix_line command_of_pip(const repair& step, const char* option);

/// The same for uv; `place` are the options that name it, and to remove comes `removal` before
/// them.
fix_line command_of_uv(const repair& step, const arena_string& place, const char* removal);

installer_effect effect_of_uv();

}  // namespace installers

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
