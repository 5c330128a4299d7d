// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../core/model/finding.h"
#include "program_end.h"

namespace cudnn_checked::prove {

/// A probe that did not come to its end, and what the one who has started it can type.
struct dead_probe {
  end_of_program end;
  probe_step step;
  arena_vector<fact> facts;  ///< on what was probed
  arena_string limit;        ///< the option or the variable that has the time limit
  arena_string debugged;     ///< the program that crashes there, for a debugger: "the probe"
  arena_string not_started;  ///< what follows where the system does not start it
  fix_lines start;           ///< what makes the system start it
  fix_lines longer;          ///< what gives it more time
  fix_lines without_kernel;  ///< what leaves this project's kernel out
  fix_lines again;           ///< what reinstalls this cuDNN; empty where nothing is known to
  fix_lines another;         ///< what installs a cuDNN instead
};

/// The finding about it.  The code of a library is not judged, so nothing shows that a reinstall
/// helps: such fixes are untried.
finding finding_of(const dead_probe& dead);

}  // namespace cudnn_checked::prove
