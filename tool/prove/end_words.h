// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "../core/model/finding.h"

namespace cudnn_checked::prove {

/// How a program ended that did not end well, as facts_of_end() has it.
struct end_of_program {
  std::string ended;   ///< "timeout", "crashed", "ended", "not-started"
  std::string detail;  ///< the seconds, the signal, the status, the error
};

/// What is said of it.
struct end_words {
  finding_id id;
  arena_string summary;
  arena_string label;    ///< of the fact that has the detail
  arena_string because;  ///< empty where that depends on who started the probe
};

end_words words_of_end(const end_of_program& end);

}  // namespace cudnn_checked::prove
