// SPDX-License-Identifier: BSD-3-Clause
//
// What is proved of one cuDNN: its files are looked at, a probe calls it and computes, and the
// facts of both are judged.  Here stands every rule about what a probe may call.
#pragma once

#include <string>
#include <vector>

#include "../core/check/cudnn_check.h"
#include "../core/json/json.h"
#include "options.h"
#include "told.h"
#include "told_system.h"

namespace cudnn_checked::prove {

class proving {
 public:
  /// `os` is the system as the program sees it that calls cuDNN, `before` the same before it is
  /// started: one of a program that opens cuDNN is linked with none.  Both must outlive this.
  proving(const options& given, told_system& os, const system_interface& before, int cudnn_major);

  /// Looks at the files, and returns the arguments of the probe: what it may call.
  std::vector<std::string> plan();

  /// Judges what the probe has told, which came to its end.  False where devices= names a GPU that
  /// is not there: `error` lists those that are.
  bool conclude(const told_facts& told, arena_string& error);

  /// Judges the files alone, where the probe did not come to its end.
  void conclude_unfinished(const told_facts& told);

  /// `stage` is the step in which the probe ended; empty: it is finished.
  json report(const arena_string& stage = {}) const;

  const options& given() const { return given_; }
  cudnn_check& install() { return install_; }
  const cudnn_check& install() const { return install_; }

 private:
  void skip(const char* name, const arena_string& reason);
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
