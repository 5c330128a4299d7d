// SPDX-License-Identifier: BSD-3-Clause
//
// What of the packages of a Python uses cuDNN, as their files lie: nothing is imported.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "../../core/model/survey.h"
#include "environment_users.h"

namespace cudnn_checked::cli {

struct python_users {
  /// In the order of the modules that need them, and of one in that of the directories.
  arena_vector<cudnn_user> users;
  /// Of several modules: libraries that no extension module of their package NEEDs, as providers
  /// and plugins that are opened when they are first used.
  std::set<std::string> late;
  int packages = 0;  ///< that were looked at
  look_limit limit = look_limit::none;
  std::string absent;  ///< a module that was asked for, and that no directory has
};

/// `directories` are those from which the Python imports, the first one first: what an earlier one
/// has hides the same of a later one.  With `modules` it is what these need: the packages that have
/// them, what those require, and their extras that have their name, as jax and jax-cuda12-plugin.
python_users find_python_users(const system_interface& os,
                               const arena_vector<arena_string>& directories,
                               const std::vector<std::string>& modules,
                               const look_limits& limits = {});

}  // namespace cudnn_checked::cli
