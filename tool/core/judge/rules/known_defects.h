// SPDX-License-Identifier: BSD-3-Clause
//
// Defects of cuDNN that are known, each no wider than it was seen: release, GPU, kind of set,
// operation.  The table is known_defects.def: one entry for one defect.  Which releases of
// frameworks avoid one is in framework_defects.def.
#pragma once

#include <string_view>

#include "../../model/arena_string.h"
#include "../../model/arena_vector.h"
#include "../../model/version.h"
#include "../../namespace.h"
#include "rules.h"

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

/// Where a defect is.
struct defect_scope {
  int first;  ///< releases, both inclusive: 91400 is 9.14.0
  int last;
  int fixed;        ///< a release to upgrade to; 0: none is known
  short first_gpu;  ///< compute capabilities, 90 for 9.0, both inclusive
  short last_gpu;
  defective_set set;
  defect_reach reach;
  short engine;  ///< the global index of the one engine that has it; -1: not of one engine
};

struct known_defect : defect_scope {
  const char* id;
  const char* operations;  ///< names, separated by spaces
  const char* what;        ///< what happens, a sentence
  const char* fix;         ///< what else to do; null: nothing is known
  const char* source;
};

bool is_in_release(const known_defect& defect, version cudnn);

/// The operations that a defect can name, and a program: `cudnn_checked_guard(app OPERATIONS ...)`,
/// which documents them.  The front part of a name stands for all that begin with it: conv,
/// conv/fp16, sdpa.
bool is_operation_name(arena_string name);

/// Whether `name` is `part`, or begins with it and a slash.  "attention" and "sdpa" are the same.
bool is_front_part(std::string_view part, std::string_view name);

/// True where one of the two names is a front part of the other.
bool operations_meet(std::string_view a, std::string_view b);

/// All of the table; in a guard, all but the narrow ones.
arena_vector<known_defect> known_defects();

// What the rules of known_defects.cpp and framework_defects.cpp share.

/// The rows of a table.  Their texts lie in another array, one after the other in the order of the
/// members.
arena_vector<known_defect> make_defects(const defect_scope* rows, std::size_t count,
                                        const char* texts);

/// 91400 for 9.14.0, and back.
int number_of(version release);
version release_of(int number);

bool is_in_set(const rule_input& input, const known_defect& defect);

/// Takes the first of words that spaces separate.
std::string_view take_word(std::string_view& words);

bool is_on_gpu(const known_defect& defect, const gpu& device);

/// The first GPU that has it; null where none has.
const gpu* gpu_within(const gpu_facts& devices, const known_defect& defect);

/// The library that a finding about the release points to.
const cudnn_file* computing_file(const rule_input& input);

/// Adds what is known of the defect, the GPU, and what to do.
void tell_defect(const rule_input& input, const known_defect& defect, const gpu& device,
                 finding& f);

// cuDNN 9.10.0 Release Notes, by way of JAX's list of releases that it refuses: before 9.10.1, with
// cuBLASLt 12.9 and more than one GPU, matrix products come out wrong.
void judge_cublas(const rule_input& input, arena_vector<finding>& findings);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
