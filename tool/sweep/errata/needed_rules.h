// SPDX-License-Identifier: BSD-3-Clause
//
// From what a sweep saw to rules.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../../core/json/json.h"
#include "errata.h"

namespace cudnn_checked::sweep {

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

/// What a sweep saw, as far as rules are made of it.
struct errata_evidence {
  const record& seen;
  std::vector<disputed_engine> disputed;
  /// Engines whose failing plans no heuristic offers, while heuristic A offers right ones of them.
  /// Programs do not meet the former, and a rule would take the latter away: they get none.
  std::set<failing_engine> spared = {};
};

/// The engines that are to be spared, for `spared`.
std::set<failing_engine> engines_to_spare(const errata_evidence& of, const errata_file& known);

/// True for what rules keep programs from: wrong results, and what ends or stops the process.  A
/// plan that returns an error needs none, because programs then take their next plan; the
/// heuristics have no plan that a rule could name.
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
