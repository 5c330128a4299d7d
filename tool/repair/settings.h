// SPDX-License-Identifier: BSD-3-Clause
//
// Settings of pip and uv, in variables and files, that change what a command of theirs does.
#pragma once

#include "../core/model/repair.h"
#include "../core/system/system_interface.h"

namespace cudnn_checked::repairs {

/// Those by which pip installs somewhere else, or not at all.
struct redirections {
  arena_vector<arena_string> variables;  ///< "PIP_USER"
  arena_string in_file;  ///< "target in /venv/pip.conf": of those that no variable sets
};
redirections redirections_of(const system_interface& os, const python_environment& e);

/// Where packages come from, or which of them may, is set: the wanted one may not be among them.
bool may_lack_packages(const system_interface& os, const repair& step);

/// The setting with which pip, or uv, surely does not install what is ordered:
/// "PIP_REQUIRE_HASHES", "the setting no-index in /etc/pip.conf"; empty: none is known.
arena_string forbidding_setting(const system_interface& os, const repair& step);

}  // namespace cudnn_checked::repairs
