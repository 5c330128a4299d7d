// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the lines of facts/line.h.
#pragma once

#include <string>

#include "../facts/line.h"
#include "run_facts.h"

namespace cudnn_checked::probe {

/// Writes facts to a file, one line each.  Each of the processes that compute in parallel has its
/// own teller with its own part number; they share the file.
class teller {
 public:
  /// `file` is a descriptor; `part` is 0 for the process that was started.
  explicit teller(int file, int part = 0) : file_(file), part_(part) {}

  void tell(const facts::line_writer& line) const;

  /// Reports the next step before anything that can end the process: "graph/fp16/nchw on GPU 0".
  void step(const std::string& what, step_kind of = step_kind::other) const;
  enum class computed_by { cudnn, kernel };
  void run(computed_by who, const run_facts& run) const;
  /// Reports that `what` was not computed, which is no failure.
  void skipped(const std::string& what, const std::string& why, step_kind of) const;
  /// Cancels all results of this part: they are computed and reported again.
  void forget() const;
  /// Reports that this part died in its last step.
  void died() const;

  int file() const { return file_; }
  int part() const { return part_; }

 private:
  static void add_kind(step_kind of, facts::line_writer& line);
  facts::line_writer line_of_part(const char* name) const;

  int file_;
  int part_;
};

}  // namespace cudnn_checked::probe
