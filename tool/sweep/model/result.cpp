// SPDX-License-Identifier: BSD-3-Clause
#include "result.h"

namespace cudnn_checked::sweep {

static constexpr const char* outcome_names[] = {"unsupported", "right",   "inexact",  "wrong",
                                                "unwritten",   "outside", "changing", "failed",
                                                "died",        "hung"};

const char* to_string(outcome what) { return outcome_names[static_cast<int>(what)]; }

bool read_outcome(const std::string& text, outcome& result) {
  for (int i = 0; i <= static_cast<int>(outcome::hung); ++i) {
    if (text != outcome_names[i]) continue;
    result = static_cast<outcome>(i);
    return true;
  }
  return false;
}

bool is_sound(outcome what) { return what == outcome::right || what == outcome::inexact; }

bool is_defect(outcome what) { return what != outcome::unsupported && !is_sound(what); }

static constexpr const char* remedy_names[] = {"none", "zero-workspace", "zero-surroundings"};

const char* to_string(remedy what) { return remedy_names[static_cast<int>(what)]; }

bool read_remedy(const std::string& text, remedy& result) {
  for (int i = 0; i <= static_cast<int>(remedy::zero_surroundings); ++i) {
    if (text != remedy_names[i]) continue;
    result = static_cast<remedy>(i);
    return true;
  }
  return false;
}

}  // namespace cudnn_checked::sweep
