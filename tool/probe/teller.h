// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the lines of facts/line.h.
#pragma once

#include <string>

#include "../facts/line.h"
#include "run_facts.h"

namespace cudnn_checked::probe {

/// Tells facts, one line each, to a file that somebody reads.  The processes that compute side by
/// side have a teller each, with a number of their own, and share the file.
class teller {
 public:
  /// `file` is a descriptor; `part` is 0 for the process that was started.
  explicit teller(int file, int part = 0) : file_(file), part_(part) {}

  void tell(const facts::line_writer& line) const;

  /// What is done next, before anything that can end the process: "graph/fp16/nchw on GPU 0".
  void step(const std::string& what) const;
  enum class computed_by { cudnn, kernel };
  void run(computed_by who, const run_facts& run) const;
  /// It was not computed, which is no failure.
  void skipped(const std::string& what, const std::string& why) const;
  /// What this part has told is computed, and told, once more.
  void forget() const;
  /// This part of the work ended in its last step, and did not finish.
  void died() const;

  int file() const { return file_; }
  int part() const { return part_; }

 private:
  facts::line_writer line_of_part(const char* name) const;

  int file_;
  int part_;
};

}  // namespace cudnn_checked::probe
