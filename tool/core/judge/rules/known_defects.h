// SPDX-License-Identifier: BSD-3-Clause
//
// Defects of cuDNN that are known, each no wider than it was seen: release, CUDA, GPU, kind of set,
// operation.  The table is known_defects.inc: one line for one defect.
#pragma once

#include "../../model/string.h"
#include "../../model/vector.h"
#include "../../model/version.h"
#include "../../namespace.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// Which sets of files a defect is in.
enum class defective_set {
  any,
  without_engines  ///< no precompiled engines or no heuristic, as in JIT-only sets
};

/// How a defect is reported if the program does not declare what it uses.
enum class defect_reach {
  ordinary,  ///< ordinary calls meet it: a warning at each start
  rare,      ///< certain calls only: a warning of verify and doctor, a note at a start
  declared   ///< only who runs all plans: nothing, or a warning where the program declares it
};

struct known_defect {
  const char* id;
  version first;  ///< releases, both inclusive
  version last;
  int cuda_major;  ///< 0: all
  int first_gpu;   ///< compute capabilities, 90 for 9.0, both inclusive
  int last_gpu;
  defective_set set;
  defect_reach reach;
  const char* operations;  ///< names, separated by spaces
  const char* what;        ///< what happens, a sentence
  const char* fix;         ///< what to install
  const char* source;
  int engine = -1;  ///< the global index of the one engine that has it; -1: not of one engine
};

/// The operations that a defect can name, and a program (`cudnn_checked_guard(app OPERATIONS
/// ...)`):
///   conv/<type>/<layout>   convolutions of images; fp32, fp16, bf16; nchw, nhwc
///   conv3d/<type>          convolutions of volumes
///   sdpa/forward, sdpa/backward   scaled dot-product attention
///   autotune/<fwd|dgrad|wgrad>/<layout>   plans beside the first one that heuristic A offers
/// The front part of a name stands for all that begin with it: conv, conv/fp16, sdpa.
bool is_operation_name(const string& name);

/// True where one of the two names is the other, or a front part of it.
bool operations_meet(const string& a, const string& b);

/// All of the table, for tests and documentation.
vector<known_defect> known_defects();

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
