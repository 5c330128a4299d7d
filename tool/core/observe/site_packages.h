// SPDX-License-Identifier: BSD-3-Clause
//
// What lies in a Python environment.
#pragma once

#include "../model/python_environment.h"
#include "../system/system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// The prefix of the names of all folders of metadata of NVIDIA's packages, for a list.
inline constexpr char of_nvidia[] = "n|N";

/// Is there what "python -m pip" runs?  A folder alone may be what is left of one.
bool starts_pip(const system_interface& os, const arena_string& site);

/// The environment whose site-packages these are, with its own interpreter, where it has one.
python_environment environment_at(const system_interface& os, const arena_string& site);

/// Whether a virtual environment uses the system's packages; unknown where it is none.
answer uses_system_packages(const system_interface& os, const arena_string& prefix);

/// The folder of the base interpreter, "home" of pyvenv.cfg (PEP 405); empty where it is none.
arena_string home_of_environment(const system_interface& os, const arena_string& prefix);

/// Is a program of that name in a directory of PATH?
bool has_program(const system_interface& os, const char* name);

/// Is its folder "python3.12" of the release that pyvenv.cfg names?  What gives an environment
/// another Python, as `uv venv --allow-existing`, leaves the packages of the one before, to which
/// no pip gets.
bool is_of_release(const system_interface& os, const python_environment& e);

/// Is the pip in these site-packages older than 20.3?
bool has_old_pip(const system_interface& os, const arena_string& site);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
