// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "../model/finding.h"
#include "../model/observation.h"
#include "../model/stamp.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Who asks, and how strictly.
struct policy {
  /// At configure time every mix inside cuDNN is an error; at run time a program may already rely on
  /// what its loader takes.
  enum class phase { configure, runtime };
  phase when = phase::runtime;
  bool gpu_optional = false;         ///< no GPU is a note, not an error
  bool level_required = false;       ///< CuDNNChecked_REQUIRE named `required`, it is not AUTO
  level required = level::none;
};

/// Applies every rule.  Pure: the same arguments always give the same findings, the worst first.
std::vector<finding> judge(const stamp& stamped, const observation& seen, const policy& how);

/// The rules that need no more than files, for the moment before anything of cuDNN is called.
std::vector<finding> judge_files(const stamp& stamped, const observation& seen, const policy& how);

/// True where calling into this set of files could end the process.
bool calling_may_abort(const observation& seen);

/// How far the observation proves this cuDNN.
level reached_level(const observation& seen, const std::vector<finding>& findings);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
