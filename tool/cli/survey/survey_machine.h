// SPDX-License-Identifier: BSD-3-Clause
//
// Looks at what of cuDNN and CUDA lies on this machine, and which of it the loader takes.
#pragma once

#include "../../core/model/survey.h"
#include "../../core/system/system_interface.h"
#include "../machine/python.h"

namespace cudnn_checked::cli {

/// What a survey looks at.
struct survey_scope {
  arena_vector<arena_string> directories;  ///< at their cuDNNs only; empty: at everything
  bool hash = false;                       ///< their contents are compared with what is recorded
  bool in_tree = false;                    ///< of a container, whose driver and GPUs are not known
  python_packages python;  ///< of the interpreter that is active, where it looks at everything
};

/// `before` is what was found on a system that differs in a few files and variables: what these do
/// not touch is not looked at again.  Null: nothing is known.
survey survey_of(const system_interface& os, const survey_scope& scope,
                 const survey* before = nullptr);

/// The CUDA release of the headers below that prefix; unknown where it has none.
version version_of_toolkit(const system_interface& os, const arena_string& directory);

}  // namespace cudnn_checked::cli
