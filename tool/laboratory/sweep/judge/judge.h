// SPDX-License-Identifier: BSD-3-Clause
//
// What a sweep found, as a person reads it: one row for an engine that failed in an operation, a
// layout and a type, and the findings that are made of these.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "../../../core/model/arena_vector.h"
#include "../../../core/model/finding.h"
#include "../../../core/model/observation.h"
#include "../model/record.h"

namespace cudnn_checked::sweep {

/// The evidence that the engine is wrong, and not the reference or the GPU.
enum class proof {
  by_itself,          ///< no reference is needed: unwritten, outside, changing, failed, died, hung
  by_other_engines,   ///< another engine is right on a problem that it fails
  by_reference_only,  ///< no other engine is right on any of these problems
  disputed            ///< no engine is right: two others compute the same, or none ever was
};

/// "by-itself", "by-other-engines", "by-reference-only", "disputed".
const char* to_string(proof what);

/// Numbers of plans by outcome.
struct outcome_counts {
  static constexpr std::size_t kinds = static_cast<std::size_t>(outcome::hung) + 1;

  std::size_t of[kinds] = {};

  std::size_t& operator[](outcome what) { return of[static_cast<std::size_t>(what)]; }
  std::size_t operator[](outcome what) const { return of[static_cast<std::size_t>(what)]; }
  std::size_t computed() const;  ///< all but unsupported
  std::size_t failed() const;    ///< all that are defects
};

/// Of all plans that were run; those that memory had no room for count.
outcome_counts counts_of(const record& of);

/// An engine that failed in an operation, a layout and a type.
struct row {
  operation what = operation::forward;
  tensor_layout layout = tensor_layout::nchw;
  element type = element::fp32;
  std::int64_t engine = -1;  ///< -1: it is the heuristics that failed, before any plan

  outcome worst = outcome::wrong;  ///< by what it does to a program: see worse()
  reach how = reach::by_index;     ///< of the failed plans, the most likely to be met
  offer best;                      ///< the offer that makes it so, if one does
  outcome_counts plans;            ///< of this engine, in this operation, layout and type

  std::size_t problems_computed = 0;  ///< with at least one plan
  std::size_t problems_failed = 0;
  std::size_t right_elsewhere = 0;  ///< of the failed ones: another engine is right there
  std::size_t same_elsewhere = 0;   ///< of the failed ones: another engine is wrong there alike
  std::size_t narrow = 0;           ///< of the failed ones: a dimension is 1 (has_narrow_dimension)
  std::size_t unaligned = 0;        ///< of the failed plans: right where tensors lie at 256 bytes
  std::size_t reads_workspace = 0;  ///< of them: right with a workspace of zeros
  std::size_t reads_beside = 0;     ///< of them: right with zeros around the tensors, too

  /// No plan of it failed otherwise than when it was built: the program gets an error, and takes
  /// another plan.
  bool unbuilt_only = false;

  proof shown = proof::by_reference_only;
  /// Where it failed, were other settings of its knobs right?  Unknown: there was only one setting.
  answer knobs_matter = answer::unknown;
  std::size_t example = 0;  ///< the simplest failure, an index of record.results
  severity weight = severity::note;
  std::string known_as;    ///< its name in the table of known defects; empty: it is in none
  std::string known_from;  ///< where that was seen
};

/// True if a is the worse thing to happen to a program: silent damage before loud damage.
bool worse(outcome a, outcome b);

/// Whether the channels, or an extent of image, kernel or output, are 1.  The strides of the two
/// layouts then differ only in dimensions of extent 1, so an engine may mistake one for the other.
bool has_narrow_dimension(const problem& p);

/// The facts of the command that advice to a person is made from.
struct follow_up {
  std::string directory;     ///< of the cuDNN, as it was typed
  std::string errata;        ///< the errata file that this run wrote; empty: none
  std::string report;        ///< the JSON of this run; empty: none
  bool configuring = false;  ///< a proof at configure time, which an errata file does not change
};

/// An engine that is less exact in an operation than its notes say: no defect.
struct inexact_engine {
  operation what = operation::forward;
  std::int64_t engine = 0;
  std::size_t plans = 0;
  double relative_error = 0;  ///< the largest
};

struct sweep_judgement {
  std::vector<row> rows;                ///< the most likely to be met first, then by number
  std::vector<inexact_engine> inexact;  ///< by operation and engine
  arena_vector<finding> findings;       ///< worst first
  verdict result = verdict::ok;
};

/// The rows and findings of a record.  A record without a result has none, and is unknown.
sweep_judgement judge_record(const record& of, const follow_up& next);

// The parts of a judgement.

/// The rows of a record, the most likely to be met first, then by the number of failed problems.
/// Their weight and what is known of them is for the caller to fill in.
std::vector<row> rows_of(const record& of);

/// Engines with plans that are inexact, by operation and number.
std::vector<inexact_engine> inexact_engines_of(const record& of);

/// The finding on an engine in an operation: of all rows that have both.  `first` is the first of
/// them, which is the most likely to be met.
finding engine_finding(const record& of, const std::vector<row>& rows, std::size_t first,
                       const follow_up& next);

/// "heuristic A, first", "heuristic A, number 3", "FALLBACK, number 3", "no heuristic"; of a
/// recurrent network "PyTorch" or "nobody".
std::string offered_by(const row& of);

/// "34 wrong, 4 unwritten": the failed plans, the worst outcome first.
std::string failures_of(const outcome_counts& plans);

/// Compares the problems that a second GPU has computed again.  What a defective GPU has computed
/// says nothing of cuDNN: it is replaced by what the other one has, or left out; record.gpus says
/// which it is.  Then `again` is empty, and problems of each GPU are counted.
void set_defective_gpus_apart(record& seen);

/// Of each GPU that is defective, or that did not compute at all.
arena_vector<finding> gpu_findings(const record& of);

}  // namespace cudnn_checked::sweep
