// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the packages of a Python that use cuDNN, by their files alone: nothing is imported.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "../../core/model/survey.h"
#include "environment_users.h"

namespace cudnn_checked::cli {

struct python_users {
  /// In the order of the modules that need them, and for one module in the order of the
  /// directories.
  arena_vector<cudnn_user> users;
  /// If there are several modules: libraries that no extension module of their package NEEDs, such
  /// as providers and plugins that are opened when they are first used.
  std::set<std::string> late;
  int packages = 0;  ///< that were looked at
  look_limit limit = look_limit::none;
  std::string absent;  ///< a module that was asked for, and that no directory has
};

/// `directories` are those from which the Python imports, in its order: a package in an earlier one
/// hides the same package in a later one.  With `modules` only the packages that these need are
/// looked at: those that have the modules, those that these require, and extras that are named
/// after them, such as jax-cuda12-plugin for jax.
python_users find_python_users(const system_interface& os,
                               const arena_vector<arena_string>& directories,
                               const std::vector<std::string>& modules,
                               const look_limits& limits = {});

}  // namespace cudnn_checked::cli
