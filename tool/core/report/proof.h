// SPDX-License-Identifier: BSD-3-Clause
//
// What CMake needs of a report: lines "proof_name=value" and a hash of them, data and nothing else
// (cmake/CuDNNChecked/every_configure/facts.cmake, _cudnn_checked_read_facts).
#pragma once

#include <string_view>

#include "../json/json.h"
#include "../model/arena_string.h"
#include "../model/arena_vector.h"
#include "../model/observation.h"
#include "report.h"

namespace cudnn_checked {
inline namespace CUDNN_CHECKED_CORE {

/// A text of facts.
class proof_lines {
 public:
  void add(const char* name, std::string_view value);
  /// A list of CMake.
  void add(const char* name, const arena_vector<arena_string>& values);
  /// The lines, and the line with their hash.
  arena_string whole() const;

 private:
  arena_string text_;
};

/// A convolution or a fused operation that was computed on a GPU.
struct computed_run {
  fused_operation what = fused_operation::none;
  int device = 0;
  bool right = false;
};

/// The runs of the probe.
arena_vector<computed_run> runs_of(const report_input& input);

/// The fused operations whose runs were all right, on every GPU that computed, in the order of the
/// table.
arena_vector<fused_operation> proved_operations(const arena_vector<computed_run>& runs);

arena_vector<arena_string> names_of(const arena_vector<fused_operation>& operations);

/// What a report proves, as CMake reads it: a version that is not known is an empty text.
struct proof_facts {
  arena_string stage;  ///< of a report that is not finished
  arena_string verdict;
  arena_string level;
  arena_string header;
  arena_string library;
  arena_string cudart;
  arena_string toolkit;
  arena_string runtime;
  arena_string driver;
  arena_vector<arena_string> architectures;  ///< "75", "90a"
  arena_vector<fused_operation> operations;
  arena_vector<arena_string> needs;
  arena_vector<arena_string> kernel_code;
  arena_string swept_seconds;
  arena_string swept_plans;
};

/// What the probe has proved.
proof_facts facts_of(const report_input& input);

/// What a report proves that another process has written.
proof_facts facts_in(const json& report);

/// The facts as a text.  `untried`: its message has a fix that the probe did not try.
arena_string proof_of(const proof_facts& facts, bool untried = false);

/// All of them but the stage, and whether fixes were tried.
void add_facts(const proof_facts& facts, proof_lines& lines);

/// The MD5 of a text (RFC 1321) in hexadecimal, which CMake computes as well.
arena_string md5_of(std::string_view text);

}  // namespace CUDNN_CHECKED_CORE
}  // namespace cudnn_checked
