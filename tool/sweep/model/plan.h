// SPDX-License-Identifier: BSD-3-Clause
//
// One way to compute a problem: an engine with its knobs, and who offers it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../../core/model/observation.h"

namespace cudnn_checked::sweep {

/// The heuristics of cuDNN that are asked (cudnnBackendHeurMode_t).  A is what programs take,
/// autotuners go on with the others.
enum class heuristic { a, b, fallback };

/// "A", "B", "FALLBACK".
const char* to_string(heuristic mode);
bool read_heuristic(const std::string& text, heuristic& result);

struct offer {
  heuristic mode = heuristic::a;
  int rank = 1;  ///< 1 is the one that is offered first
};

/// A setting of an engine: cudnnBackendKnobType_t by its number, "k2=14" in the tag of a plan.
struct knob {
  std::int64_t type = 0;
  std::int64_t value = 0;
};

/// From its name in reports.
bool read_math(const std::string& text, convolution_math& result);

struct plan {
  std::int64_t engine = -1;   ///< CUDNN_ATTR_ENGINE_GLOBAL_INDEX
  std::vector<knob> knobs;    ///< sorted by type; empty: the engine's own defaults
  std::vector<offer> offers;  ///< empty: reached by index only
  convolution_math math = convolution_math::unknown;
  bool deterministic = true;     ///< no CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC
  bool compiled_at_run = false;  ///< CUDNN_BEHAVIOR_NOTE_RUNTIME_COMPILATION
};

/// How likely a program meets a plan, in this order.
enum class reach {
  first,    ///< heuristic A offers it first: most programs take it
  offered,  ///< A further down, B or FALLBACK: autotuners run it
  by_index  ///< nobody offers it
};

/// "first", "offered", "by-index".
const char* to_string(reach how);
reach reach_of(const plan& p);

/// "eng72_k2=14_k13=0", as in the tag that cudnn-frontend gives a plan, without its operation.
std::string tag_of(const plan& p);

}  // namespace cudnn_checked::sweep
