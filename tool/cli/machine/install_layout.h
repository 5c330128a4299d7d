// SPDX-License-Identifier: BSD-3-Clause
//
// Where installs of a platform put libraries, headers and Python's packages, and where its loader
// looks.
#pragma once

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"

namespace cudnn_checked::cli {

/// The directories of Python's packages below a prefix: of a virtual environment and, as Debian's
/// Python has them, of `pip install --prefix` (dist-packages, below local); on Windows of a
/// portable Python there, too.
arena_vector<arena_string> package_directories(const system_interface& os,
                                               const arena_string& prefix);

/// Directories that may hold a CUDA toolkit.
arena_vector<candidate> toolkit_prefixes(const system_interface& os);

/// The entries of the loader's variable as absolute paths, each once, whether they exist or not.
arena_vector<candidate> ld_library_path_entries(const system_interface& os);

/// Directories that hold installs of cuDNN, or of several packages, beside those of variables.
arena_vector<candidate> install_prefixes(const system_interface& os);

/// Where an install with that prefix keeps libraries, as the find module has it; and where one
/// keeps the header whose libraries are in that directory.
arena_vector<arena_string> library_directories(const system_interface& os,
                                               const arena_string& prefix);
arena_vector<arena_string> header_directories(const arena_string& library_directory);

/// Where the loader looks for what any program asks for: a variable's directories first.
arena_vector<candidate> places_of_loader(const system_interface& os);

/// Folders of Python's packages that hold a cuDNN: "nvidia/cudnn/lib".
arena_vector<arena_string> places_in_packages();

/// "/lib": where conda's packages put libraries in their environment.
arena_string folder_of_conda();

/// A file that the loader's cache lists.
struct cached_file {
  arena_string name;
  arena_string path;
};

/// The entries of the loader's cache for this machine whose names begin so.
arena_vector<cached_file> cache_entries(const system_interface& os, const char* prefix);

}  // namespace cudnn_checked::cli
