// SPDX-License-Identifier: BSD-3-Clause
//
// The question that run --python, check() and an import that fails ask alike: which cuDNN do the
// libraries of packages get, where one process imports them.
#pragma once

#include <string>
#include <vector>

#include "../program/check_program.h"
#include "../survey/python_users.h"

namespace cudnn_checked::cli {

struct import_case {
  arena_vector<arena_string> directories;  ///< that the Python imports from
  std::vector<std::string> modules;        ///< in their order; empty: which of all is not known
  arena_string process = {};               ///< the number of one that runs; empty: a new one
  arena_string import_lacks = {};          ///< as in unstamped_program
  assumed_machine machine = {};
  packer by = packer::none;   ///< has made what has the directories: it is built again
  bool in_container = false;  ///< the directories are there, and so is what is typed
};

/// The findings about the libraries of a package that use cuDNN.
struct package_check {
  arena_string name;
  arena_string library;   ///< the one to report on
  process_memory memory;  ///< when it is loaded
  arena_vector<finding> findings;
  bool takes_cudnn = false;
  bool is_named = true;  ///< false: the process had it before, so it is only warned of

  bool is_wrong() const { return is_named && verdict_of(findings) == verdict::refused; }
  bool is_right() const { return takes_cudnn && !is_wrong(); }
};

struct import_check {
  python_users found;
  std::vector<package_check> packages;  ///< those of its users
  std::string not_seen;                 ///< why what the process has loaded was not looked at
  packer by = packer::none;             ///< as in the case
  assumed_machine machine;              ///< likewise
  bool in_container = false;            ///< likewise

  /// The package whose library decides.
  const package_check& decisive() const;
  /// The case of its library, as it was checked.
  cudnn_case case_of(const package_check& package) const;
  json report(const system_interface& os) const;  ///< of the library that decides
};

import_check check_imports(const system_interface& os, const import_case& asked);

/// The text of the findings, as errors or as warnings.
arena_string text_of(const std::vector<package_check>& packages, bool refused);

}  // namespace cudnn_checked::cli
