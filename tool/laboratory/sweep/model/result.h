// SPDX-License-Identifier: BSD-3-Clause
//
// One way to compute a problem, which is an engine with its knobs and who offers it; and what came
// of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../../../core/model/observation.h"

namespace cudnn_checked::sweep {

/// The heuristics of cuDNN that are asked (cudnnBackendHeurMode_t).  A is what programs take,
/// autotuners go on with the others.
enum class heuristic { a, b, fallback };

/// "A", "B", "FALLBACK".
const char* to_string(heuristic mode);

struct offer {
  heuristic mode = heuristic::a;
  int rank = 1;  ///< 1 is the one that is offered first
};

/// A setting of an engine: cudnnBackendKnobType_t by its number, "k2=14" in the tag of a plan.
struct knob {
  std::int64_t type = 0;
  std::int64_t value = 0;
};

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
