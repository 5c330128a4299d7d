// SPDX-License-Identifier: BSD-3-Clause
//
// A process that runs: what it has mapped is known, not predicted.
#pragma once

#include "../../core/model/survey.h"
#include "../program/check_program.h"
#include "../system/process_facts.h"

namespace cudnn_checked::cli {

/// What is asked of a process.
struct process_question {
  process_facts facts;
  arena_string name;  ///< "process 4711", "python3.11 after import torch"
  /// Libraries of packages that it has imported, which may load cuDNN later, in their order; and
  /// what is wrong with them in a process that has loaded what it has.
  arena_vector<cudnn_user> users = {};
  arena_vector<finding> of_users = {};
};

struct process_check {
  program_check check;
  /// Findings `not-stamped` about the libraries that would load cuDNN later.
  arena_vector<finding> later;
};

process_check check_process(const process_question& question, const assumed_machine& machine);

}  // namespace cudnn_checked::cli
