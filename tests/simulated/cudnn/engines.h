// SPDX-License-Identifier: BSD-3-Clause
//
// Which engines there are, what each says of itself, and which are offered.
#pragma once

#include <string>
#include <vector>

#include "convolution.h"

namespace simulated {

struct knob {
  int type = 0;  ///< cudnnBackendKnobType_t
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

struct knob_choice {
  int type = 0;
  std::int64_t value = 0;
};

struct engine {
  int number;
  bool precompiled;
  std::vector<int> notes;  ///< cudnnBackendNumericalNote_t
  std::vector<knob> knobs;
  std::int64_t workspace;
};

/// An engine with its choices, as the heuristics offer it.
struct offer {
  engine from = {};
  std::vector<knob_choice> choices;
  bool other_layout = false;  ///< computes wrong numbers

  /// The value of a knob; the lowest one where none was chosen.
  std::int64_t knob_value(int type) const;
  std::int64_t workspace() const;
  bool says(int note) const;
};

/// CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT.
std::int64_t engine_count(const convolution& what);

/// Gives a status: there may be no such engine, or it does not compute this.
int find_engine(const convolution& what, std::int64_t index, offer& found);

/// Applies the choices; a status where the engine has no such knob, or computes this with no knobs.
int configure(const convolution& what, const std::vector<knob_choice>& choices, offer& chosen);

/// The last place where an engine refuses.
int plan_status(const offer& chosen);

/// What a heuristic offers, the best first.
std::vector<offer> offers_for(const convolution& what, cudnnBackendHeurMode_t mode);

}  // namespace simulated
