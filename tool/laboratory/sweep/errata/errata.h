// SPDX-License-Identifier: BSD-3-Clause
//
// The errata file: rules in JSON that name plans which programs must not run.  NVIDIA's
// cudnn-frontend reads it from the file that CUDNN_ERRATA_JSON_FILE names, for PyTorch, XLA and
// TensorFlow.  What a rule means is in docs/sweep.md, "The errata file"; the source is
// include/cudnn_frontend_Errata.h of cudnn-frontend 1.5.2 to 1.32.0.  And from what a sweep saw to
// rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../../core/json/json.h"
#include "../model/problem.h"
#include "../model/record.h"
#include "../model/result.h"

namespace cudnn_checked::sweep {

/// Blocks a plan where all of it fits.
struct errata_rule {
  std::string id;         ///< "rule_id"; for people
  std::string operation;  ///< "ConvFwd"; of a fused graph all of them: "ConvFwd_Add_Add"
  std::int64_t engine = 0;
  std::vector<std::string> knobs;   ///< each of them stands somewhere in the tag: "k2=14"
  std::uint64_t version_start = 0;  ///< CUDNN_VERSION that the program was compiled with
  std::uint64_t version_end = std::numeric_limits<std::uint64_t>::max();  ///< the first one behind
  bool names_input = false;
  bool names_filter = false;
  bool channels_second = true;  ///< shape_format is "NCHW"
  std::int64_t input_shape[4] = {-1, -1, -1, -1};
  std::int64_t filter_shape[4] = {-1, -1, -1, -1};
};

struct errata_file {
  std::vector<errata_rule> rules;
  std::string text;         ///< as it was read; empty: there is no file yet
  std::size_t closing = 0;  ///< where the ']' of the rules is in `text`
};

/// Reads the text of an errata file.  What a rule has beyond the keys above stays in `text`.  False
/// where a program that reads the file would end with an exception, ignore it or misread it, with
/// the reason in `error`.
bool read_errata(const std::string& text, errata_file& result, std::string& error);

/// Reads it from the disk.  One that does not exist is one without text.  False, with a message
/// that begins with the path, if it cannot be read or is no errata file.
bool load_errata(const std::string& path, errata_file& result, std::string& error);

/// The reader of a rule.  The function of cudnn-frontend that gets only the tag of a plan ignores
/// shapes, and so blocks plans of all shapes.
enum class errata_reader {
  tags,   ///< PyTorch, XLA, TensorFlow
  graphs  ///< a program that gives cudnn-frontend its operation graph as well
};

/// True if a program that was compiled with this cuDNN does not run the plan for the problem.
/// A plan that is blocked for `graphs` is blocked for `tags`.
bool blocks(const errata_file& file, const version& cudnn, const problem& of, const plan& with,
            errata_reader read_by = errata_reader::graphs);
bool blocks(const errata_rule& rule, const version& cudnn, const problem& of, const plan& with,
            errata_reader read_by = errata_reader::graphs);

/// Selects the plans that a worker does not run: blocks() with the text of an errata file.  Empty,
/// with the reason in `error`, if the text is no errata file.
std::function<bool(const problem&, const plan&)> errata_filter(const std::string& text,
                                                               const version& cudnn,
                                                               std::string& error);

/// "ConvFwd", "ConvBwdData", "ConvBwdFilter": of no fused operation.
const char* errata_name(operation what);

/// CUDNN_VERSION of a release: 91900 for 9.19.0, 8907 for 8.9.7.
std::uint64_t errata_version(const version& cudnn);

/// An engine that may not be to blame, because the reference may be wrong (the
/// judge's proof::disputed).  It gets no rule.
struct disputed_engine {
  operation what = operation::forward;
  tensor_layout layout = tensor_layout::nchw;
  element type = element::fp32;
  std::int64_t engine = -1;
};

/// An operation, and the number of an engine that fails in it.
using failing_engine = std::pair<operation, std::int64_t>;

/// The part of a sweep's results that rules are made from.
struct errata_evidence {
  const record& seen;
  std::vector<disputed_engine> disputed;
  /// Engines whose failing plans no heuristic offers, while heuristic A offers right ones of them.
  /// Programs do not meet the former, and a rule would take the latter away: they get none.
  std::set<failing_engine> spared = {};
};

/// The engines that are to be spared, for `spared`.
std::set<failing_engine> engines_to_spare(const errata_evidence& of, const errata_file& known);

/// True if a rule must block the plan: its result is wrong, or it ends or hangs the process.  A
/// plan that returns an error needs no rule, because programs then take their next plan.  A failure
/// of the heuristics has no plan that a rule could name.
bool needs_rule(const errata_evidence& of, const result& r);

/// A rule for each operation and engine that has a plan which needs one and which `known` does not
/// block, for this release of cuDNN alone.  It names no knobs, because values
/// that were not seen to fail do (docs/sweep.md), and no shapes, because PyTorch and XLA do not
/// look at them.
std::vector<errata_rule> needed_rules(const errata_evidence& of, const errata_file& known);

/// What a file does to the plans of a record.
struct errata_effect {
  std::size_t blocked = 0;        ///< plans that need a rule, and have one
  std::size_t left = 0;           ///< plans that need a rule, and have none
  std::size_t disputed = 0;       ///< plans of disputed engines that failed: not counted above
  std::size_t spared = 0;         ///< plans of spared engines that failed: not counted above
  std::size_t right = 0;          ///< right plans that are blocked as well
  std::size_t right_offered = 0;  ///< of these: offered by A, B or FALLBACK
  std::size_t right_of_a = 0;     ///< of these: offered by A
  std::size_t right_first = 0;    ///< of these: offered by A first
};

errata_effect effect_of(const errata_file& file, const errata_evidence& of);

/// The text of `file` with the rules added behind its own, all else byte for byte as it was.  A
/// file without text becomes an errata file with these rules.
std::string with_rules(const errata_file& file, const std::vector<errata_rule>& rules);

/// A rule as it stands in a file.
json json_of(const errata_rule& rule);

}  // namespace cudnn_checked::sweep
