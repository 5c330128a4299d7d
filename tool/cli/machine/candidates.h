// SPDX-License-Identifier: BSD-3-Clause
//
// Where a cuDNN may be: the places that the loader looks in, and those that packages, toolkits and
// people put it.
#pragma once

#include <string>
#include <vector>

#include "../../core/linux/loader_cache.h"
#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"
#include "python.h"

namespace cudnn_checked::cli {

/// In the order in which they are shown; one directory may come several times.
arena_vector<candidate> cudnn_candidates(const system_interface& os, const python_packages& python);

/// Where a cuDNN may be in a directory that somebody names: one of libraries, the prefix of an
/// install, a site-packages or the folder nvidia in it, a virtual environment.
arena_vector<candidate> candidates_in(const system_interface& os, const arena_string& directory);

/// Those of Python's packages below a prefix: of a virtual environment, and, as Debian's Python has
/// them, of `pip install --prefix` (dist-packages, below local).
arena_vector<arena_string> package_directories(const system_interface& os,
                                               const arena_string& prefix);

/// Directories that may hold a CUDA toolkit.
arena_vector<candidate> toolkit_prefixes(const system_interface& os);

/// Its directories, absolute, whether they exist or not.
arena_vector<candidate> ld_library_path_entries(const system_interface& os);

/// Where an install with that prefix keeps libraries, as in
/// cmake/CuDNNChecked/search/in_prefix.cmake; and where one keeps the header whose libraries are in
/// that directory.
arena_vector<arena_string> library_directories(const arena_string& prefix);
arena_vector<arena_string> header_directories(const arena_string& library_directory);

/// The entries of ld.so.cache for this machine whose names begin so.
arena_vector<loader_cache_entry> cache_entries(const system_interface& os, const char* prefix);

}  // namespace cudnn_checked::cli
