// SPDX-License-Identifier: BSD-3-Clause
//
// The proof of one cuDNN: it looks at the files, a probe calls cuDNN and computes, and the facts of
// both are judged.  Every rule about the calls that a probe may make is here.
#pragma once

#include <string>
#include <vector>

#include "../core/check/cudnn_check.h"
#include "../core/report/report.h"
#include "options.h"
#include "told.h"
#include "told_system.h"

namespace cudnn_checked::prove {

class proving {
 public:
  /// `os` is the system as seen by the program that calls cuDNN, `before` the system before that
  /// program starts: a program that opens cuDNN is not linked with it.  Both must outlive this.
  proving(const options& given, told_system& os, const system_interface& before, int cudnn_major);

  /// Looks at the files, and returns the arguments of the probe: what it may call.
  std::vector<std::string> plan();

  /// Judges the facts of a probe that has finished.  Returns false if devices= names a GPU that
  /// does not exist: `error` lists the existing ones.
  bool conclude(const told_facts& told, arena_string& error);

  /// Judges the files alone, for a probe that did not finish.
  void conclude_unfinished(const told_facts& told);

  /// What a report is made of; it points into this.  `stage` is the step in which the probe ended;
  /// empty: it is finished.
  report_input report(const arena_string& stage = {}) const;

  const options& given() const { return given_; }
  cudnn_check& install() { return install_; }
  const cudnn_check& install() const { return install_; }

 private:
  void skip(const convolution_kind& kind, const arena_string& reason);
  void skip(fused_operation what, const arena_string& reason);
  void skip_asked(const arena_string& reason);
  void choose_work();
  void take(const told_facts& told);

  const options& given_;
  told_system& os_;
  int cudnn_major_;
  loader search_;
  cudnn_check install_;
  arena_vector<const convolution_kind*> kinds_;  ///< of what is asked, what this cuDNN can run
  arena_vector<fused_operation> operations_;
};

}  // namespace cudnn_checked::prove
