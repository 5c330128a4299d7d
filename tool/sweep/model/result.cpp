// SPDX-License-Identifier: BSD-3-Clause
#include "result.h"

#include "read_name.h"

namespace cudnn_checked::sweep {

static constexpr const char* outcome_names[] = {"unsupported", "right",   "inexact",  "wrong",
                                                "unwritten",   "outside", "changing", "failed",
                                                "died",        "hung"};

const char* to_string(outcome what) { return outcome_names[static_cast<int>(what)]; }

bool read_outcome(const std::string& text, outcome& result) {
  return read_name(text, outcome::hung, result);
}

bool is_sound(outcome what) { return what == outcome::right || what == outcome::inexact; }

bool is_defect(outcome what) { return what != outcome::unsupported && !is_sound(what); }

static constexpr const char* remedy_names[] = {"none", "zero-workspace", "zero-surroundings"};

const char* to_string(remedy what) { return remedy_names[static_cast<int>(what)]; }

bool read_remedy(const std::string& text, remedy& result) {
  return read_name(text, remedy::zero_surroundings, result);
}

}  // namespace cudnn_checked::sweep
