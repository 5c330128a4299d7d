// SPDX-License-Identifier: BSD-3-Clause
//
// The tree that --root names, and the variables of --env.
#pragma once

#include <string>
#include <vector>

#include "../../core/system/system_interface.h"
#include "python.h"

namespace cudnn_checked::cli {

struct named_tree {
  arena_string root;                ///< its path, of path_of_tree()
  arena_vector<char*> environment;  ///< of programs in it, with a null pointer behind the last
};

/// `variables` are "NAME=VALUE" and outlive the result.  False where there is no such tree: `wrong`
/// says why, behind the name of the command.
bool read_tree(const std::string& command, const std::string& root,
               const std::vector<std::string>& variables, named_tree& tree, std::string& wrong);

/// This machine's part of the same: without --root no variable is named.
bool read_variables(const std::string& command, const std::vector<std::string>& variables,
                    named_tree& tree, std::string& wrong);

/// The system of a tree, whatever program is started in it.
const system_interface& system_of_tree(const named_tree& tree);

/// The directories of PYTHONPATH there.
arena_vector<candidate> python_path_of_tree(const system_interface& os);

/// VIRTUAL_ENV in --env; empty: it is not set there.
arena_string environment_of_tree(const std::vector<std::string>& variables);

/// The prefixes in which images have a Python.
arena_vector<arena_string> python_prefixes_of_images();

/// The packages of the Pythons in a tree: those of VIRTUAL_ENV in --env, else of the prefixes in
/// which images have one; and of PYTHONPATH.  Nothing of the tree is started.
python_packages packages_of_tree(const system_interface& os,
                                 const std::vector<std::string>& variables);

}  // namespace cudnn_checked::cli
