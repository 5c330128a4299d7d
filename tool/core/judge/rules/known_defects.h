// SPDX-License-Identifier: BSD-3-Clause
//
// Defects of cuDNN that are known, each no wider than it was seen: release, GPU, kind of set,
// operation.  The table is known_defects.def: one entry for one defect.  Which releases of
// frameworks avoid one is in framework_defects.def.
#pragma once

#include "../../model/string.h"
#include "../../model/vector.h"
#include "../../model/version.h"
#include "../../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Which sets of files a defect is in.
enum class defective_set : unsigned char {
  any,
  without_engines  ///< no precompiled engines or no heuristic, as in JIT-only sets
};

/// How a defect is reported: first if the program does not declare what it uses, then if it
/// declares the operation.
enum class defect_reach : unsigned char {
  ordinary,  ///< ordinary calls meet it: a warning at each start; an error
  rare,      ///< certain calls: a warning of verify and doctor, a note at a start; an error
  certain,   ///< every such call may meet it: nothing; an error
  narrow,    ///< few such calls meet it: nothing; a warning of verify, and nothing at a start
  declared   ///< only who runs all plans: nothing; a warning
};

struct known_defect {
  const char* id;
  int first;  ///< releases, both inclusive: 91400 is 9.14.0
  int last;
  int fixed;        ///< a release to upgrade to; 0: none is known
  short first_gpu;  ///< compute capabilities, 90 for 9.0, both inclusive
  short last_gpu;
  defective_set set;
  defect_reach reach;
  short engine;  ///< the global index of the one engine that has it; -1: not of one engine
  const char* operations;  ///< names, separated by spaces
  const char* what;        ///< what happens, a sentence
  const char* fix;         ///< what else to do; null: nothing is known
  const char* source;
};

bool is_in_release(const known_defect& defect, const version& cudnn);

/// The operations that a defect can name, and a program: `cudnn_checked_guard(app OPERATIONS ...)`,
/// which documents them.  The front part of a name stands for all that begin with it: conv,
/// conv/fp16, sdpa.
bool is_operation_name(const string& name);

/// True where one of the two names is the other, or a front part of it.
bool operations_meet(const string& a, const string& b);

/// All of the table, for tests and documentation.
vector<known_defect> known_defects();

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
