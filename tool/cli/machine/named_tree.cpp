// SPDX-License-Identifier: BSD-3-Clause
#include "named_tree.h"

#include "../../core/model/paths.h"
#include "../../core/system/own_system.h"
#include "../../core/system/platform.h"
#include "../../core/system/python_layout.h"
#include "../system/operating_system.h"
#include "install_layout.h"
#include "tree.h"

namespace cudnn_checked::cli {

bool read_variables(const std::string& command, const std::vector<std::string>& variables,
                    named_tree& tree, std::string& wrong) {
  for (const std::string& variable : variables) {
    if (variable.find('=', 1) == std::string::npos) {
      wrong = command + ": --env " + variable + ": not NAME=VALUE";
    }
    tree.environment.push_back(const_cast<char*>(variable.c_str()));
  }
  tree.environment.push_back(nullptr);
  return wrong.empty();
}

bool read_tree(const std::string& command, const std::string& root,
               const std::vector<std::string>& variables, named_tree& tree, std::string& wrong) {
  if (!read_variables(command, variables, tree, wrong)) return false;
  const std::string unable = why_unable(ability::trees);
  if (!unable.empty()) {
    wrong = unable;
    return false;
  }
  const system_interface& os = own_system();
  tree.root = path_of_tree(root);
  arena_vector<arena_string> names;
  if (tree.root.empty() || os.list(tree.root, "", names) != open_result::opened) {
    wrong = command + ": --root " + root + ": not a directory that can be read";
  }
  return wrong.empty();
}

const system_interface& system_of_tree(const named_tree& tree) {
  char** const environment = const_cast<char**>(tree.environment.data());
  return system_of_tree(tree.root, "/bin/sh", environment, execution_mode::ordinary);
}

static arena_string value_among(const std::vector<std::string>& variables,
                                const std::string& name) {
  arena_string value;
  for (const std::string& one : variables) {
    if (one.compare(0, name.size() + 1, name + "=") == 0) value = one.substr(name.size() + 1);
  }
  return value;
}

arena_vector<candidate> python_path_of_tree(const system_interface& os) {
  arena_vector<candidate> found;
  int index = 0;
  for (const arena_string& entry : directories_of_path(value_of(os, "PYTHONPATH"))) {
    if (!entry.empty()) found.push_back({entry, "PYTHONPATH[" + to_string(index) + "]"});
    ++index;
  }
  return found;
}

arena_string environment_of_tree(const std::vector<std::string>& variables) {
  return value_among(variables, "VIRTUAL_ENV");
}

arena_vector<arena_string> python_prefixes_of_images() { return {"/usr", "/opt/conda"}; }

python_packages packages_of_tree(const system_interface& os,
                                 const std::vector<std::string>& variables) {
  python_packages found;
  found.directories = python_path_of_tree(os);
  arena_vector<arena_string> prefixes = python_prefixes_of_images();
  const arena_string environment = environment_of_tree(variables);
  if (!environment.empty()) prefixes = {environment};
  for (const arena_string& prefix : prefixes) {
    for (const arena_string& directory : package_directories(os, prefix)) {
      found.directories.push_back({directory, "packages of " + prefix});
    }
  }
  return found;
}

}  // namespace cudnn_checked::cli
