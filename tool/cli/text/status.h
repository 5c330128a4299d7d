// SPDX-License-Identifier: BSD-3-Clause
//
// The exit statuses of the program, and what --strict makes of them.
#pragma once

#include <string>

#include "../../core/model/finding.h"

namespace cudnn_checked::cli {

/// 78 is the guard's own, for `run` alone.
enum exit_status : int {
  exit_fine = 0,
  exit_refused = 1,
  exit_usage = 2,
  exit_unknown = 3,
  exit_not_started = 78
};

/// From now on a warning, and a result that is not known, are refused.
void be_strict();
bool is_strict();

/// Refused, unknown, or no error: a warning is an error with --strict only.
exit_status status_of(verdict v);

/// Of what could not be checked: with --strict exit_unknown is exit_refused.
exit_status strictly(exit_status status);

/// "there is a warning": why --strict alone refused; empty where it did not.
std::string refused_by_strict();

}  // namespace cudnn_checked::cli
