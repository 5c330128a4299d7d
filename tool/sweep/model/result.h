// SPDX-License-Identifier: BSD-3-Clause
//
// What came of one plan of one problem.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "plan.h"

namespace cudnn_checked::sweep {

enum class outcome {
  unsupported,  ///< the engine does not compute this problem, and says so
  right,
  inexact,    ///< less exact than its notes say, within the tolerance of the coarsest arithmetic
  wrong,      ///< elements differ from the reference by more than the tolerance
  unwritten,  ///< elements still hold what was there before
  outside,    ///< bytes beside the output or the workspace were written, or an input
  changing,   ///< two executions differ, and the engine does not say that they may
  failed,     ///< a call that must succeed for a supported plan returned an error
  died,       ///< the process ended, or its CUDA context was lost
  hung        ///< the time limit of a plan was over
};

/// "right", "unwritten", ...
const char* to_string(outcome what);
bool read_outcome(const std::string& text, outcome& result);

/// Right or inexact: such a result is of use.
bool is_sound(outcome what);
/// Everything but unsupported, right and inexact.
bool is_defect(outcome what);

/// What a failure goes away with, which shows its cause.
enum class remedy {
  none,
  zero_workspace,    ///< zeros in the workspace: it reads there what nobody wrote
  zero_surroundings  ///< zeros around the tensors, too: it reads beside them
};

/// "none", "zero-workspace", "zero-surroundings".
const char* to_string(remedy what);
bool read_remedy(const std::string& text, remedy& result);

struct result {
  std::size_t problem = 0;  ///< its number in the list of problems
  plan with;
  outcome what = outcome::unsupported;
  double relative_error = 0;    ///< ||y - r|| / ||r||, r the float64 reference
  double element_error = 0;     ///< largest |y - r|, divided as compute::scale_errors() says
  double tolerance = 0;         ///< bound on element_error
  std::uint64_t unwritten = 0;  ///< elements, of all: `elements`
  std::uint64_t elements = 0;
  std::uint64_t workspace = 0;  ///< bytes
  /// What the addresses of the tensors are multiples of, and of no higher power of two: 256, or 16,
  /// which is what the plan was told; 0: it was not executed.
  int alignment = 0;
  remedy right_with = remedy::none;
  double microseconds = 0;  ///< the shortest execution; 0: it was not measured
  std::string detail;  ///< the failed call with its status; the signal; where outside; one line
};

}  // namespace cudnn_checked::sweep
