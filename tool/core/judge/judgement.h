// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/finding.h"
#include "../model/level.h"
#include "../model/observation.h"
#include "cudnn_set.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// What the judge makes of one convolution of the probe.
struct convolution_verdict {
  double tolerance = 0;  ///< bound on its element_error
  bool right = false;    ///< it ran, and every element was written and is within the bound
};

/// And of one run of its kernel.
struct kernel_verdict : convolution_verdict {
  arena_string
      code;  ///< what of the program's device code it was: "sm_80", "compute_75 (PTX)"; empty
};

/// Everything that the judge concludes from an observation.  A report shows it and concludes
/// nothing more.
struct judgement {
  arena_vector<finding> findings;  ///< the worst first
  verdict result = verdict::ok;
  level reached = level::none;  ///< how far this cuDNN is proved: here, or by the program's stamp
  cudnn_set set;                ///< points into the observation's files
  version computes;  ///< the release that computes: cuDNN's own answer, else what its files say
  arena_vector<library_role> needs;  ///< roles of the sub-libraries that the program needs
  arena_vector<convolution_verdict> convolutions;  ///< in the order of the observation's
  arena_vector<kernel_verdict> kernel;             ///< of its runs
  /// Architectures on which every convolution that ran gave right numbers, each once.
  arena_vector<architecture> measured;

  /// Replaces the findings: sorted here, the worst first.
  void conclude(arena_vector<finding> all) {
    findings = std::move(all);
    for (finding& f : findings.in_place()) keep_what_can_be_pasted(f.fix);
    sort_by_weight(findings);
    result = verdict_of(findings);
  }
};

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
