// SPDX-License-Identifier: BSD-3-Clause
//
// The programs on PATH, and the pip that is not of one environment.
#pragma once

#include "site_packages.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The directories of PATH; where it is not known, as in the tree of a container, those that a
/// container runtime sets.
arena_vector<arena_string> directories_of_programs(const system_interface& os);

/// The first program of that name in these directories; empty where there is none.
arena_string program_on_path(const system_interface& os, const arena_string& name);

/// Does "python3 -m pip" of a system's Python start a pip?  `python` gets the path of the Python
/// that has it, where that is not the first on PATH.
bool find_pip_of_system(const system_interface& os, arena_string& python);

/// Where Debian has the packages of its Python.
inline constexpr char site_of_system[] = "/usr/lib/python3/dist-packages";

/// Has the environment no pip, and a standard library that brings one?
bool brings_pip(const system_interface& os, const python_environment& e);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
