// SPDX-License-Identifier: BSD-3-Clause
//
// Where a Python environment of this platform has what, and where programs lie.  The folder of each
// platform defines these functions: linux_python.cpp, and linux_python_places.cpp what no program
// asks at its start.  `version` is what python_of_site() says.
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../namespace.h"
#include "system_interface.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// "python3.12", by the folder that the site-packages lie in; "python" where no folder has the
/// number.  Empty for other folders.
arena_string python_of_site(arena_string site);

/// The prefix of the Python that imports from these site-packages.
arena_string prefix_of_site(arena_string site);

/// Files below a prefix that may be its interpreter, the first one first.
arena_vector<arena_string> interpreters_in(arena_string prefix, arena_string version);

/// The folders of that name, "site-packages", of the Pythons below a prefix, whether they are there
/// or not.
arena_vector<arena_string> sites_below(const system_interface& os, const arena_string& prefix,
                                       const char* folder);

/// The other one, where an environment has two: "lib64" for packages with extension modules, "lib"
/// for all others (Fedora).  Empty where it has one.
arena_string packages_beside(const system_interface& os, const arena_string& site);

/// Folders beside its own in which pip finds packages for an environment: the user's, and those of
/// another prefix, where that is not empty.
arena_vector<arena_string> shared_sites(const system_interface& os, const arena_string& prefix,
                                        const arena_string& version);

/// Where the standard library of the Python below a prefix may be.
arena_vector<arena_string> standard_libraries(const arena_string& prefix,
                                              const arena_string& version);

/// The command of Python on PATH, and the files that a command may start: "uv", "uv.exe".
const char* command_of_python();
arena_vector<arena_string> files_of_command(const arena_string& command);

/// The entries of PATH, of which `value` is the value.
arena_vector<arena_string> directories_of_path(const arena_string& value);

/// The prefix whose programs lie in that directory: "/usr" of "/usr/bin".
arena_string prefix_of_programs(const arena_string& directory);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
